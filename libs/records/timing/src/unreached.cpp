#include "unreached.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numeric>
#include <span>

#include "batchscope/schema/run_file.hpp"
#include "batchscope/stats/descriptive.hpp"
#include "batchscope/stats/mean_estimate.hpp"
#include "same_model.hpp"

namespace batchscope::timing {
namespace {

constexpr double kStepMatters = 0.02;  // ln units
// Processes end their warm-up at times of their own: what ends with it shows little of what
// follows.
constexpr double kBeyond = 1.25;

using ManySeries = std::vector<Series>;

double ns_of(const Series& series, std::size_t iterations) {
  const auto end =
      series.begin() + static_cast<std::ptrdiff_t>(std::min(iterations, series.size()));
  return std::accumulate(series.begin(), end, 0.0);
}

double median_ns(const ManySeries& all, std::size_t iterations) {
  std::vector<double> ns;
  for (const Series& each : all) ns.push_back(ns_of(each, iterations));
  return stats::median(ns);
}

// How long visits of a configuration are.
struct Length {
  double iterations = 0;
  double ns = 0;
};

Length length_of(const ManySeries& series) {
  if (series.empty()) return {};
  std::vector<double> iterations;
  for (const Series& each : series) iterations.push_back(static_cast<double>(each.size()));
  return {stats::median(iterations), median_ns(series, stats::kLongestWarmup)};
}

// What visits of one configuration show of the end of a warm-up, which those of another may have
// been too short to reach: by iterations, as a compiler at work, or by the clock.
struct Ended {
  std::size_t config = 0;
  double iterations = 0;
  double ns = 0;
};

std::vector<Ended> ends_of(const std::vector<ManySeries>& series,
                           const std::vector<stats::WarmupNeed>& needs) {
  std::vector<Ended> ends;
  for (std::size_t a = 0; a < needs.size(); ++a) {
    const stats::WarmupNeed& need = needs[a];
    const bool tells = need.determined && need.visits >= stats::kFewestToTest;
    if (!tells || need.last_excess <= kStepMatters) continue;
    ends.push_back(
        {a, static_cast<double>(need.iterations), median_ns(series[a], need.iterations)});
  }
  return ends;
}

// Whether the last step of a warm-up that one shows is to be seen in the other too: its iterations
// become faster by as much from the first on, but for half of that step.
bool shows_as_much(const stats::WarmupNeed& other, const stats::WarmupNeed& one) {
  return other.first_excess >= one.first_excess - one.last_excess / 2;
}

// As many iterations as enough visits of both made.
std::size_t common_length(const ManySeries& a, const ManySeries& b) {
  const auto made_by_enough = [](const ManySeries& all) -> std::size_t {
    if (all.size() < stats::kFewestToTest) return 0;
    std::vector<std::size_t> lengths;
    for (const Series& each : all) lengths.push_back(each.size());
    std::sort(lengths.begin(), lengths.end(), std::greater<>());
    return lengths[stats::kFewestToTest - 1];
  };
  return std::min(made_by_enough(a), made_by_enough(b));
}

constexpr std::size_t kLater = 3;  // iterations that one is held against, at least

// ln of how much longer an iteration takes than the last ones of the first `length`.
std::vector<double> excess_at(const ManySeries& all, std::size_t index, std::size_t length) {
  const std::size_t third = std::max(kLater, length / 3);
  const std::size_t from = std::max(index + 1, length - std::min(third, length));
  std::vector<double> logs;
  for (const Series& each : all) {
    if (each.size() < length) continue;
    const double later = stats::median(std::span(each).subspan(from, length - from));
    logs.push_back(std::log(each[index] / later));
  }
  return logs;
}

// One shows iterations slow from the second on that the other, at the same place in its visits,
// does not have, up to one after which the process is older than the other's visits: something may
// settle by the clock. What settles by iterations is the same in both, as long as as many of either
// are looked at. The first iteration tells nothing: what is done once may cost sizes differently.
bool settles_later(const ManySeries& one, const ManySeries& other) {
  constexpr double kAlpha = 0.01;  // of all places
  const std::size_t length = common_length(one, other);
  const std::size_t places = std::min<std::size_t>(20, length - std::min(length, kLater + 1));
  const double reach = length_of(other).ns;
  for (std::size_t place = 1; place <= places; ++place) {
    const auto of_one = excess_at(one, place, length);
    const auto more = stats::estimate_difference(of_one, excess_at(other, place, length));
    const bool slow = more && more->value > kStepMatters && stats::median(of_one) > kStepMatters;
    if (!slow) return false;
    const bool ends_before = reach <= kBeyond * median_ns(one, place + 1);
    const double alpha = kAlpha / static_cast<double>(places);
    if (ends_before && stats::p_greater(*more) < alpha) return true;
  }
  return false;
}

}  // namespace

void mark_unreached(const schema::RunFile& run, const std::vector<ManySeries>& series,
                    const Warmups& known, std::vector<stats::WarmupNeed>& needs) {
  const std::vector<Ended> ends = ends_of(series, needs);
  const std::vector<stats::WarmupNeed> shown = needs;
  for (std::size_t b = 0; b < needs.size(); ++b) {
    if (series[b].empty()) continue;
    const Length length = length_of(series[b]);
    const auto is_other = [&](std::size_t a) {
      return a != b && model_key(run.configs[a]) == model_key(run.configs[b]);
    };
    bool unreached = std::any_of(ends.begin(), ends.end(), [&](const Ended& end) {
      return is_other(end.config) &&
             (length.iterations <= end.iterations || length.ns <= kBeyond * end.ns) &&
             !shows_as_much(shown[b], shown[end.config]);
    });
    for (std::size_t a = 0; a < series.size() && !unreached; ++a) {
      unreached = is_other(a) && settles_later(series[a], series[b]);
    }
    if (!unreached) continue;
    const double iteration_ns = length.ns / length.iterations;
    const auto least = known.of(static_cast<int>(b), iteration_ns).iterations;
    needs[b].iterations = std::max<std::size_t>({needs[b].iterations, least, 1});
    needs[b].determined = false;
  }
}

}  // namespace batchscope::timing
