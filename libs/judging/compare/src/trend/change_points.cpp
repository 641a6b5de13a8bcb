#include "batchscope/compare/change_points.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "batchscope/stats/power.hpp"
#include "rank_tests.hpp"
#include "shifts.hpp"
#include "step_or_drift.hpp"

namespace batchscope::compare {
namespace {

// Of another level, that a split leaves beside one: a single value may as well be a bad run.
constexpr std::size_t kValuesLeft = 2;
// Asked of Student's t, by which the step is reckoned: the test by orders then finds 0.83 of such
// steps at least (10 to 40 values, normal or with runs that a neighbour hit).
constexpr double kPower = 0.85;

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
    const double share = static_cast<double>(part.size()) / static_cast<double>(values_.size());
    const double alpha = alpha_ * share / 2;
    if (!can_show_split(part.size(), alpha)) return;
    if (const auto split = shown_split(part, alpha)) {
      divide(begin, begin + split->begin);
      starts_.push_back(begin + split->begin);
      divide(begin + split->begin, end);
    } else if (const auto inner = shown_inner(part, alpha)) {
      divide(begin, begin + inner->begin);
      starts_.push_back(begin + inner->begin);
      divide(begin + inner->begin, begin + inner->end);
      starts_.push_back(begin + inner->end);
      divide(begin + inner->end, end);
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
    starts[i] = bounds[i] + place_of_shift(values.subspan(bounds[i], bounds[i + 2] - bounds[i]));
  }
}

// Whether the parts on either side of a split have no change left.
bool explains(std::span<const double> values, std::size_t at, double alpha) {
  return p_of_best_split(values.first(at), kValuesLeft) >= alpha / 2 &&
         p_of_best_split(values.subspan(at), kValuesLeft) >= alpha / 2;
}

LevelShift described(std::span<const double> values, std::size_t before, std::size_t at,
                     std::size_t after, double alpha) {
  const auto around = values.subspan(before, after - before);
  LevelShift change;
  change.at = change.earliest = change.latest = at;
  change.shift = shift_of(around, {at - before, around.size()});
  for (std::size_t split = kValuesLeft; split + kValuesLeft <= around.size(); ++split) {
    if (!explains(around, split, alpha)) continue;
    change.earliest = std::min(change.earliest, before + split);
    change.latest = std::max(change.latest, before + split);
  }
  return change;
}

// The start with the least evidence of a step; none where all have enough to rule out a drift.
std::optional<std::size_t> least_supported(std::span<const double> values,
                                           const std::vector<std::size_t>& starts, double alpha) {
  if (starts.empty()) return std::nullopt;
  const bool any = evidence_of_steps(values, starts, {}) > limit_of_evidence(starts.size(), alpha);
  const double limit = limit_of_evidence(1, alpha / static_cast<double>(starts.size()));
  double least = any ? limit : std::numeric_limits<double>::infinity();
  std::optional<std::size_t> weakest;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    std::vector<std::size_t> others = starts;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    const double evidence = evidence_of_steps(values, starts, others);
    if (evidence < least) least = evidence, weakest = i;
  }
  return weakest;
}

}  // namespace

std::size_t values_to_split(double level) {
  std::size_t values = 2 * kValuesOfLevel;
  while (!can_show_split(values, (1 - level) / 2)) ++values;
  return values;
}

ChangePoints find_change_points(std::span<const double> values, double level) {
  std::vector<std::size_t> starts = Segmentation(values, 1 - level).take();
  refine(values, starts);
  ChangePoints found;
  while (const auto weakest = least_supported(values, starts, 1 - level)) {
    const auto bounds = with_ends(starts, values.size());
    const LevelShift drift =
        described(values, bounds[*weakest], starts[*weakest], bounds[*weakest + 2], 1 - level);
    if (!found.drift || std::abs(drift.shift.value) > std::abs(found.drift->shift.value)) {
      found.drift = drift;
    }
    starts.erase(starts.begin() + static_cast<std::ptrdiff_t>(*weakest));
    refine(values, starts);
  }
  const auto bounds = with_ends(starts, values.size());
  for (std::size_t i = 0; i < starts.size(); ++i) {
    found.steps.push_back(described(values, bounds[i], starts[i], bounds[i + 2], 1 - level));
  }
  return found;
}

double level_of_each(std::span<const std::size_t> lengths, double level) {
  if (lengths.empty()) return level;
  const std::size_t longest = *std::max_element(lengths.begin(), lengths.end());
  const std::size_t enough = std::min(longest, values_to_split(level));
  const auto able = std::count_if(lengths.begin(), lengths.end(),
                                  [&](std::size_t length) { return length >= enough; });
  return 1 - (1 - level) / static_cast<double>(able);
}

double smallest_step(std::size_t values, double sd, double level) {
  const auto n = static_cast<double>(values);
  const double before = std::floor(n / 2);
  stats::MeanEstimate shift;
  shift.se = sd * std::sqrt(1 / before + 1 / (n - before));
  shift.df = n - 2;
  shift.n = values;
  shift.method = stats::Method::student_t;
  const double alpha = (1 - level) / 2 / static_cast<double>(splits_of(values, kValuesOfLevel));
  return std::max(stats::smallest_detectable(shift, alpha / 2, kPower),
                  sd * detectable_step(values, 1 - level));
}

}  // namespace batchscope::compare
