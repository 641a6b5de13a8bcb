#include "step_lengths.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace batchscope::analyze {
namespace {

using findings::Estimate;
using findings::StepTime;
using stats::Interval;

constexpr int kBetween = 12;           // of each pair of lengths that were measured
constexpr double kHardlyWaits = 0.05;  // of an iteration

using Part = Estimate StepTime::*;

double slope(const StepTime& a, const StepTime& b, Part part) {
  return ((b.*part).value - (a.*part).value) / (b.step_ms - a.step_ms);
}

// What the lines of the neighbouring pairs, and of what must follow beyond the ends, say at
// `step_ms` between i and i + 1.
double lower_bound(const std::vector<StepTime>& measured, std::size_t i, double step_ms, Part part,
                   const Interval& slopes) {
  const StepTime& a = measured[i];
  const StepTime& b = measured[i + 1];
  double before = slopes.low, behind = slopes.high;
  if (i > 0) before = std::clamp(slope(measured[i - 1], a, part), slopes.low, slopes.high);
  if (i + 2 < measured.size()) {
    behind = std::clamp(slope(b, measured[i + 2], part), slopes.low, slopes.high);
  }
  return std::max((a.*part).value + before * (step_ms - a.step_ms),
                  (b.*part).value - behind * (b.step_ms - step_ms));
}

// How far the interval of a measured length reaches below or above its value.
double reach(const Estimate& estimate, bool above) {
  if (!estimate.ci) return 0;
  return above ? estimate.ci->high - estimate.value : estimate.value - estimate.ci->low;
}

Estimate interpolated(const std::vector<StepTime>& measured, std::size_t i, double step_ms,
                      Part part, const Interval& slopes) {
  const StepTime& a = measured[i];
  const StepTime& b = measured[i + 1];
  const double way = (step_ms - a.step_ms) / (b.step_ms - a.step_ms);
  const auto line = [&](double from, double to) { return from + way * (to - from); };
  const double upper = line((a.*part).value, (b.*part).value);
  const double lower = std::min(upper, lower_bound(measured, i, step_ms, part, slopes));
  Estimate made;
  made.value = (lower + upper) / 2;
  if ((a.*part).ci && (b.*part).ci) {
    made.ci = Interval{std::max(0.0, lower - line(reach(a.*part, false), reach(b.*part, false))),
                       upper + line(reach(a.*part, true), reach(b.*part, true))};
  }
  return made;
}

// A step of the CPU that others slow down grows by more than its length.
Interval slopes_of_iteration(const std::vector<StepTime>& measured) {
  double steepest = 1;
  for (std::size_t i = 0; i + 1 < measured.size(); ++i) {
    steepest = std::max(steepest, slope(measured[i], measured[i + 1], &StepTime::iteration_ms));
  }
  return {0, steepest};
}

}  // namespace

std::vector<StepTime> between_lengths(const std::vector<StepTime>& measured) {
  std::vector<StepTime> all;
  const Interval of_iteration = slopes_of_iteration(measured), of_wait{-1, 0};
  for (std::size_t i = 0; i + 1 < measured.size(); ++i) {
    const double ratio = measured[i + 1].step_ms / measured[i].step_ms;
    for (int k = 0; k < kBetween; ++k) {
      const double step_ms = measured[i].step_ms * std::pow(ratio, k / double{kBetween});
      all.push_back({step_ms,
                     interpolated(measured, i, step_ms, &StepTime::iteration_ms, of_iteration),
                     interpolated(measured, i, step_ms, &StepTime::wait_ms, of_wait)});
    }
  }
  all.push_back(measured.back());
  return all;
}

void put_shortest_step(double handover_ms, findings::LoaderRow& row) {
  if (row.between.empty()) return;
  // Where a batch always lies ready, the wait is what handing over takes there.
  const double floor = std::min(handover_ms, row.steps.back().wait_ms.value);
  const auto first = [&](const std::function<double(const Estimate&)>& wait) {
    const auto found = std::ranges::find_if(row.between, [&](const StepTime& each) {
      return wait(each.wait_ms) - floor <= kHardlyWaits * each.iteration_ms.value;
    });
    return found == row.between.end() ? -1 : found->step_ms;
  };
  const double value = first([](const Estimate& wait) { return wait.value; });
  row.always_waits = value < 0;
  if (value < 0 || value == row.between.front().step_ms) return;
  const double low =
      first([](const Estimate& wait) { return wait.ci ? wait.ci->low : wait.value; });
  const double high =
      first([](const Estimate& wait) { return wait.ci ? wait.ci->high : wait.value; });
  row.shortest_step_ms =
      Estimate{value, Interval{low, high < 0 ? row.between.back().step_ms : high}};
}

}  // namespace batchscope::analyze
