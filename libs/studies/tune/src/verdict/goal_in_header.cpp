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
  schema::TuneSettings& settings = header.tune.emplace();
  settings.objective = plan.goal.objective;
  settings.latency_of = plan.goal.latency_of;
  settings.price_per_hour = plan.goal.price_per_hour;
  settings.points = plan.search.points;
  if (plan.practical != findings::kPractical) settings.practical = plan.practical;
  settings.verify_blocks = plan.verify_blocks;
  if (plan.search.checkpoint_when_needed) header.axes[kCheckpointing] = kWhenNeeded;
  header.plan.latency_budget_s = plan.goal.latency_budget_s;
  header.plan.memory_limit_bytes = plan.goal.memory_limit_bytes;
}

Result<TunePlan> read_goal(const schema::Header& header) {
  if (header.origin != kOrigin || !header.tune) {
    return Error{ErrorKind::input, "this run file was not written by `tune`", "--resume",
                 "name one that was, or another output"};
  }
  const schema::TuneSettings& settings = *header.tune;
  TunePlan plan;
  // Words of a later version: what is looked for is the usual, but what is bounded has to be known.
  if (settings.objective.value() != Objective::other) {
    plan.goal.objective = settings.objective.value();
  }
  const auto latency_of = schema::parse_latency_statistic(settings.latency_of.text());
  if (!latency_of) return latency_of.error();
  plan.goal.latency_of = *latency_of;
  plan.goal.price_per_hour = settings.price_per_hour;
  plan.search.points = settings.points;
  if (settings.verify_blocks) plan.set_verify_blocks(*settings.verify_blocks);
  plan.practical = settings.practical.value_or(plan.practical);
  const auto checkpointing = header.axes.find(kCheckpointing);
  plan.search.checkpoint_when_needed =
      checkpointing != header.axes.end() && checkpointing->second == kWhenNeeded;
  plan.goal.latency_budget_s = header.plan.latency_budget_s;
  plan.goal.memory_limit_bytes = header.plan.memory_limit_bytes;
  return plan;
}

}  // namespace batchscope::tune
