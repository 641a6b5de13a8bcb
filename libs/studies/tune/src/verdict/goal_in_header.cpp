#include "batchscope/tune/tune.hpp"

namespace batchscope::tune {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

constexpr schema::Origin kOrigin = schema::Origin::tune;
constexpr const char* kCheckpointing = "checkpointing";  // the axis
constexpr const char* kWhenNeeded = "auto";

}  // namespace

void write_goal(const TunePlan& plan, schema::Header& header) {
  header.origin = kOrigin;
  header.tune = plan.goal;
  header.tune->verify_blocks = plan.goal.fresh_blocks();
  if (plan.search.checkpoint_when_needed) header.axes[kCheckpointing] = kWhenNeeded;
  header.plan.latency_budget_s = plan.goal.latency_budget_s;
  header.plan.memory_limit_bytes = plan.goal.memory_limit_bytes;
}

Result<TunePlan> read_goal(const schema::Header& header) {
  if (header.origin != kOrigin || !header.tune) {
    return Error{ErrorKind::input, "this run file was not written by `tune`", "--resume",
                 "name one that was, or another output"};
  }
  TunePlan plan;
  static_cast<schema::TuneSettings&>(plan.goal) = *header.tune;
  // Words of a later version: what is looked for is the usual, but what is bounded has to be known.
  if (plan.goal.objective == Objective::other) plan.goal.objective = Objective::throughput;
  const auto known = schema::parse_latency_statistic(plan.goal.latency_of.text());
  if (!known) return known.error();
  const auto checkpointing = header.axes.find(kCheckpointing);
  plan.search.checkpoint_when_needed =
      checkpointing != header.axes.end() && checkpointing->second == kWhenNeeded;
  plan.goal.latency_budget_s = header.plan.latency_budget_s;
  plan.goal.memory_limit_bytes = header.plan.memory_limit_bytes;
  return plan;
}

}  // namespace batchscope::tune
