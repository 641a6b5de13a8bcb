#include "plan_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "batchscope/base/counted.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/findings/wording.hpp"
#include "busiest_part.hpp"
#include "plan_checks.hpp"

namespace batchscope::planning {
namespace {
using findings::percent;

// Shares of the batches from here on are worth a word.
constexpr double kSome = 0.005;
// Fewer bursts in a series say little about bursts.
constexpr double kFewBursts = 30;

std::string milliseconds(double ms) {
  return base::format_seconds(ms / 1e3);
}

std::string nearest(const CapacityPlan& plan) {
  const PolicyPlan* best = nullptr;
  for (const PolicyPlan& policy : plan.policies) {
    if (policy.p99_ms && (!best || policy.p99_ms->value < best->p99_ms->value)) best = &policy;
  }
  if (!best) return "No policy sustains the rate.";
  std::string text = fmt::format("No policy meets p99 {} with {}. The closest is {} with {}, {}.",
                                 milliseconds(*plan.p99_ms), in_words(plan.instances), best->policy,
                                 milliseconds(best->p99_ms->value),
                                 how_much_more(best->p99_ms->value, *plan.p99_ms));
  const PolicyPlan* fewest = nullptr;
  for (const PolicyPlan& policy : plan.policies) {
    if (!policy.instances_needed) continue;
    if (!fewest || *policy.instances_needed < *fewest->instances_needed) fewest = &policy;
  }
  return text +
         (fewest ? fmt::format(" {} needs {}.", fewest->policy, in_words(*fewest->instances_needed))
                 : std::string(" Even 64 more instances are not enough."));
}

// What was asked for and is not, or not quite, what is planned.
std::vector<std::string> warnings_of_request(const MeasuredCosts& costs,
                                             const PlanRequest& request) {
  std::vector<std::string> warnings;
  const int64_t largest = costs.table.batch_sizes().back();
  if (request.max_batch && *request.max_batch > largest) {
    warnings.push_back(fmt::format(
        "The limit is batches of {}, but the run has no size above {}, so the plan uses none.",
        *request.max_batch, largest));
  }
  if (costs.table.lengths().empty() && lengths_seen(request) != std::vector<int64_t>{1}) {
    warnings.push_back(
        "The run has no lengths, so the lengths of requests have no effect. Measure some: "
        "profile --seq-lens 16,32,64,128.");
  }
  if (requests_of(request) > kLongRecording &&
      std::holds_alternative<RecordedArrivals>(request.arrivals.law)) {
    warnings.push_back(
        fmt::format("The recording has {}. Settings and curves use its busiest {} in a row; the "
                    "quantiles of the plan cover all requests.",
                    base::counted(requests_of(request), "request"), kLongRecording));
  }
  if (const auto bursts = bursts_of(request); bursts && *bursts < kFewBursts) {
    warnings.push_back(fmt::format(
        "A simulated series has only {:.2g} bursts on average: too few for reliable quantiles. "
        "Simulate more: --requests {:.0f}.",
        *bursts, std::ceil(kFewBursts / *bursts) * static_cast<double>(requests_of(request))));
  }
  return warnings;
}

// "take-all 12 %, good-sizes 3 %"; empty: none worth a word.
std::string shares(const CapacityPlan& plan, double PolicyPlan::*share) {
  std::vector<std::string> list;
  for (const PolicyPlan& policy : plan.policies) {
    if (policy.*share < kSome) continue;
    list.push_back(fmt::format("{} {}", policy.policy, percent(policy.*share)));
  }
  return fmt::format("{}", fmt::join(list, ", "));
}

// "batch 12", or where there are lengths "batch 12 or length 16".
std::string smallest(const serving::CostTable& table) {
  std::string text = fmt::format("batch {}", table.batch_sizes().front());
  if (!table.lengths().empty()) text += fmt::format(" or length {}", table.lengths().front());
  return text;
}

// Of the batches that are formed, what was not measured.
std::vector<std::string> warnings_of_sizes(const CapacityPlan& plan,
                                           const serving::CostTable& table) {
  std::vector<std::string> warnings;
  if (const auto list = shares(plan, &PolicyPlan::interpolated); !list.empty()) {
    warnings.push_back(
        fmt::format("Share of batches with interpolated times (between measured sizes or lengths): "
                    "{}. Measure more sizes to be sure.",
                    list));
  }
  if (const auto list = shares(plan, &PolicyPlan::smaller); !list.empty()) {
    warnings.push_back(
        fmt::format("Share of batches smaller than measured, counted as {}: {}. They may be faster "
                    "than planned. Measure smaller sizes.",
                    smallest(table), list));
  }
  if (const auto list = shares(plan, &PolicyPlan::beyond); !list.empty()) {
    warnings.push_back(
        fmt::format("Share of batches with extrapolated times (beyond the measured range): {}. "
                    "Measure up to the largest batch and the longest request.",
                    list));
  }
  return warnings;
}

}  // namespace

std::string how_much_more(double value, double bound) {
  const double more = value / bound - 1;
  if (more > 1) return fmt::format("{:.3g} times as high", value / bound);
  return fmt::format("{} higher", percent(more));
}

std::string in_words(int instances) {
  return base::counted(instances, "instance");
}

std::vector<int64_t> lengths_seen(const PlanRequest& request) {
  const auto* recorded = std::get_if<RecordedArrivals>(&request.arrivals.law);
  if (recorded && !recorded->tokens.empty()) return recorded->tokens;
  return request.lengths.empty() ? std::vector<int64_t>{1} : request.lengths;
}

std::vector<std::string> warnings_of(const CapacityPlan& plan, const MeasuredCosts& costs,
                                     const PlanRequest& request) {
  std::vector<std::string> warnings = costs.warnings;
  for (std::string& warning : warnings_of_request(costs, request)) {
    warnings.push_back(std::move(warning));
  }
  for (std::string& warning : warnings_of_sizes(plan, costs.table)) {
    warnings.push_back(std::move(warning));
  }
  if (plan.instances > costs.config.instances) {
    warnings.push_back(
        fmt::format("The run measured {} at a time. {} on one machine share cores, "
                    "caches and memory, and are slower. Measure them together (profile "
                    "--instances), or give each its own machine.",
                    in_words(costs.config.instances), in_words(plan.instances)));
  }
  return warnings;
}

std::string rate_words(double per_s) {
  constexpr double kWithoutFraction = 1e4;
  return per_s < kWithoutFraction ? fmt::format("{:.4g}", per_s) : fmt::format("{:.0f}", per_s);
}

std::string message_of(const CapacityPlan& plan) {
  if (!plan.recommended) return plan.p99_ms ? nearest(plan) : "No policy sustains the rate.";
  const PolicyPlan& best = plan.policies[*plan.recommended];
  std::string text =
      fmt::format("Use {} ({}) on {}", best.policy, best.settings, in_words(plan.instances));
  if (best.p99_ms) text += fmt::format(": p99 {}", milliseconds(best.p99_ms->value));
  text += fmt::format(
      " at {} requests per second (simulated), {} busy; the limit is {} requests per second.",
      rate_words(plan.rate_per_s), percent(best.utilisation), rate_words(best.capacity_per_s));
  const bool unsure =
      best.p99_ms && plan.p99_ms && best.p99_ms->ci && best.p99_ms->ci->high > *plan.p99_ms;
  if (unsure) text += " The CI of its p99 extends beyond the bound: add a margin.";
  return text;
}

}  // namespace batchscope::planning
