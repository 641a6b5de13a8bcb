#include "compared_pair.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/findings/wording.hpp"
#include "batchscope/timing/evidence.hpp"

namespace batchscope::analyze {
namespace {

using findings::Comparison;
using findings::Confidence;
using findings::percent;

using Comparisons = std::vector<const Comparison*>;

// Two that differ by less are called alike; what a gate asks for may be stricter.
constexpr double kAlike = 0.05;

// Where typical iterations take the same time, mean ones may not.
bool is_on_average(const Comparison& comparison) {
  return !comparison.significant && comparison.by_mean && comparison.by_mean->significant;
}

bool is_shown(const Comparison& comparison) {
  return comparison.significant || is_on_average(comparison);
}

const findings::Estimate& reported_of(const Comparison& comparison) {
  return is_on_average(comparison) ? comparison.by_mean->ratio : comparison.ratio;
}

double distance(const Comparison* comparison) {
  return std::abs(std::log(reported_of(*comparison).value));
}

Comparisons shown_of(const Comparisons& all, bool slower) {
  return base::kept(all, [&](const Comparison* each) {
    return is_shown(*each) && (reported_of(*each).value > 1) == slower;
  });
}

std::vector<int64_t> sizes_of(const Comparisons& some) {
  std::set<int64_t> sizes;
  for (const Comparison* each : some) sizes.insert(each->config.shape.batch_size);
  return {sizes.begin(), sizes.end()};
}

// What is shown goes before what is not.
bool tells_less(const Comparison* a, const Comparison* b) {
  if (is_shown(*a) != is_shown(*b)) return is_shown(*b);
  return distance(a) < distance(b);
}

// The interval of a change of time, as positive numbers in its direction.
stats::Interval change_of(const findings::Estimate& ratio) {
  if (ratio.value < 1) return {1 - ratio.ci->high, 1 - ratio.ci->low};
  return {ratio.ci->low - 1, ratio.ci->high - 1};
}

// How large a difference may still be; where that is no longer a percentage that anybody would say,
// in times.
std::string not_ruled_out(double far) {
  constexpr double kMany = 10;
  const double times = 1 + far;
  if (times > kMany) return fmt::format("more than {:.0f} times", kMany);
  return times >= 2 ? fmt::format("up to {:.1f} times", times)
                    : fmt::format("up to {}", percent(far));
}

double farthest_of(const stats::Interval& ratio) {
  return std::max(ratio.high - 1, 1 - ratio.low);
}

}  // namespace

bool ComparedPair::holds(const Comparison& other) const {
  const Comparison& first = *all.front();
  return first.axis == other.axis && first.base == other.base && first.other == other.other;
}

bool ComparedPair::is_of_two_runs() const {
  return all.front()->test == findings::ComparisonTest::welch;
}

const Comparison& ComparedPair::largest() const {
  return **std::max_element(all.begin(), all.end(), tells_less);
}

const findings::Estimate& ComparedPair::ratio() const {
  return reported_of(largest());
}

std::optional<double> ComparedPair::reach_of_typical() const {
  double farthest = 0;
  for (const Comparison* each : all) {
    if (!each->ratio.ci) return std::nullopt;
    farthest = std::max(farthest, farthest_of(*each->ratio.ci));
  }
  return farthest;
}

std::optional<double> ComparedPair::reach() const {
  auto farthest = reach_of_typical();
  for (const Comparison* each : all) {
    const bool reported = each->by_mean && each->by_mean->ratio.ci;
    if (farthest && reported) farthest = std::max(*farthest, farthest_of(*each->by_mean->ratio.ci));
  }
  return farthest;
}

bool ComparedPair::is_alike_but_for_means() const {
  const auto typical = reach_of_typical();
  return typical && *typical <= kAlike && !is_shown_alike() && !is_of_two_runs();
}

bool ComparedPair::is_shown_alike() const {
  // Two single runs differ by what runs differ by, which their visits do not show.
  const auto far = reach();
  return far && *far <= kAlike && !is_of_two_runs();
}

Confidence ComparedPair::confidence() const {
  const bool any = is_shown(largest());
  if (!any && !is_shown_alike()) return Confidence::cannot_tell;
  return is_of_two_runs() ? Confidence::suspected : Confidence::shown;
}

std::string ComparedPair::headline() const {
  const Comparison& main = largest();
  if (!is_shown(main)) {
    if (is_shown_alike()) {
      return fmt::format("{} and {} take the same time, within {}", main.other, main.base,
                         percent(*reach()));
    }
    return fmt::format("No significant difference between {} and {}", main.other, main.base);
  }
  const Comparisons slower = shown_of(all, true), faster = shown_of(all, false);
  if (!slower.empty() && !faster.empty()) {
    return fmt::format("{} is faster than {} at {}, but slower at {}", main.other, main.base,
                       findings::batches(sizes_of(faster)), findings::batches(sizes_of(slower)));
  }
  const std::string where =
      all.size() > 1 ? fmt::format(" at batch {}", main.config.shape.batch_size) : "";
  const findings::Estimate& reported = ratio();
  const std::string sure = reported.ci ? findings::in_interval(change_of(reported)) : std::string();
  return fmt::format("{} takes {}{} than {}{}{}", main.other,
                     findings::change_of_time(reported.value),
                     is_on_average(main) ? " on average" : "", main.base, where, sure);
}

std::string ComparedPair::sure() const {
  const Comparison& main = largest();
  if (is_shown(main)) {
    const auto shown = std::count_if(all.begin(), all.end(),
                                     [](const Comparison* each) { return is_shown(*each); });
    const std::string of = all.size() > 1 ? fmt::format("{} of {} sizes, ", shown, all.size()) : "";
    if (is_of_two_runs()) {
      return of + "two single runs, so the difference may be variation between runs";
    }
    return fmt::format("{}{} {} of each", of, main.n,
                       main.test == findings::ComparisonTest::paired ? "visits" : "runs");
  }
  const auto far = reach();
  if (!far) return "too few visits for a CI";
  if (is_shown_alike()) return fmt::format("every CI is within {}", percent(*far));
  if (is_of_two_runs())
    return "two single runs are not enough: the difference may be variation between runs";
  return fmt::format("a difference of {} is still possible", not_ruled_out(*far));
}

std::optional<int> ComparedPair::blocks_needed() const {
  const Comparison& main = largest();
  if (!main.ratio.ci || main.n < 2) return std::nullopt;
  const double half = (std::log(main.ratio.ci->high) - std::log(main.ratio.ci->low)) / 2;
  const double seen = std::max(distance(&main), std::log1p(kAlike));
  return timing::blocks_that_would_tell(static_cast<std::size_t>(main.n), half, seen);
}

}  // namespace batchscope::analyze
