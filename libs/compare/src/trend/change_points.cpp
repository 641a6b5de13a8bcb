#include "batchscope/compare/change_points.hpp"

#include <algorithm>
#include <cmath>

#include "batchscope/stats/power.hpp"
#include "shifts.hpp"

namespace batchscope::compare {
namespace {

static_assert(kValuesToSplit == 2 * kValuesOfLevel);

// The first values of new levels, in order.
class Segmentation {
 public:
  Segmentation(std::span<const double> values, double alpha) : values_(values), alpha_(alpha) {
    divide(0, values.size());
  }

  std::vector<std::size_t> take() { return std::move(starts_); }

 private:
  void divide(std::size_t begin, std::size_t end) {
    const auto part = values_.subspan(begin, end - begin);
    if (part.size() < kValuesToSplit) return;
    const double share = static_cast<double>(part.size()) / static_cast<double>(values_.size());
    const double alpha = alpha_ * share / 2;
    if (p_of_best_split(part) <= alpha) {
      const std::size_t at = begin + best_split(part).begin;
      divide(begin, at);
      starts_.push_back(at);
      divide(at, end);
    } else if (p_of_best_inner(part) <= alpha) {
      const Stretch inner = best_inner(part);
      divide(begin, begin + inner.begin);
      starts_.push_back(begin + inner.begin);
      divide(begin + inner.begin, begin + inner.end);
      starts_.push_back(begin + inner.end);
      divide(begin + inner.end, end);
    }
  }

  std::span<const double> values_;
  double alpha_;
  std::vector<std::size_t> starts_;
};

// Where the levels between two starts meet, with both ends of the series.
std::vector<std::size_t> with_ends(const std::vector<std::size_t>& starts, std::size_t n) {
  std::vector<std::size_t> bounds{0};
  bounds.insert(bounds.end(), starts.begin(), starts.end());
  bounds.push_back(n);
  return bounds;
}

// A change was found beside others that were still in the series: each once more, between those
// next to it (Bai 1997).
void refine(std::span<const double> values, std::vector<std::size_t>& starts) {
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const auto bounds = with_ends(starts, values.size());
    const auto around = values.subspan(bounds[i], bounds[i + 2] - bounds[i]);
    starts[i] = bounds[i] + best_split(around).begin;
  }
}

// Whether the parts on either side of a split have no change left.
bool explains(std::span<const double> values, std::size_t at, double alpha) {
  return p_of_best_split(values.first(at)) >= alpha / 2 &&
         p_of_best_split(values.subspan(at)) >= alpha / 2;
}

ChangePoint described(std::span<const double> values, std::size_t before, std::size_t at,
                      std::size_t after, double alpha) {
  const auto around = values.subspan(before, after - before);
  ChangePoint change;
  change.at = change.earliest = change.latest = at;
  change.shift = shift_of(around, {at - before, around.size()});
  for (std::size_t split = kValuesOfLevel; split + kValuesOfLevel <= around.size(); ++split) {
    if (!explains(around, split, alpha)) continue;
    change.earliest = std::min(change.earliest, before + split);
    change.latest = std::max(change.latest, before + split);
  }
  return change;
}

}  // namespace

std::vector<ChangePoint> find_change_points(std::span<const double> values, double level) {
  std::vector<std::size_t> starts = Segmentation(values, 1 - level).take();
  refine(values, starts);
  const auto bounds = with_ends(starts, values.size());
  std::vector<ChangePoint> changes;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    changes.push_back(described(values, bounds[i], starts[i], bounds[i + 2], 1 - level));
  }
  return changes;
}

double smallest_step(std::size_t values, double sd, double level) {
  const auto n = static_cast<double>(values);
  const double before = std::floor(n / 2);
  stats::MeanEstimate shift;
  shift.se = sd * std::sqrt(1 / before + 1 / (n - before));
  shift.df = n - 2;
  shift.n = values;
  shift.method = stats::Method::student_t;
  const double alpha = (1 - level) / 2 / static_cast<double>(splits_of(values));
  return stats::smallest_detectable(shift, alpha / 2, 0.8);
}

}  // namespace batchscope::compare
