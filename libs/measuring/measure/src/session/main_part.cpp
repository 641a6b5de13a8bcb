// What the main part decides between blocks: whether to go on, for how long, and why it ends.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>

#include "batchscope/base/counted.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/findings/wording.hpp"
#include "batchscope/timing/evidence.hpp"
#include "contrast_width.hpp"
#include "session_state.hpp"

namespace batchscope::measure {
namespace {

using base::Result;

schema::Event too_short_a_budget(const schema::MeasurementPlan& plan, int blocks) {
  schema::Event event;
  event.kind = schema::EventKind::warning;
  event.what =
      fmt::format("the budget of {:.0f} s{} is enough for about {}, but a proof needs {}",
                  plan.budget_s, schema::shares_budget(plan) ? " (half for the table)" : "",
                  base::counted(blocks, "block"), timing::kPairsToProve);
  event.fix = "raise --budget, or measure fewer configurations";
  return event;
}

constexpr std::string_view kOutOfReach = "the target precision is not reachable";

// `half_width`: of the widest contrast after that many blocks, ln.
schema::Event out_of_reach(double target, int blocks, double half_width) {
  schema::Event event;
  event.kind = schema::EventKind::warning;
  event.what = fmt::format("{}: at the present scatter, {} give \u00b1{}, not \u00b1{}",
                           kOutOfReach, base::counted(blocks, "block"),
                           findings::percent(std::expm1(half_width)), base::format_level(target));
  event.fix =
      "measure on a quieter machine, raise --budget for more blocks, or accept a wider --target";
  return event;
}

}  // namespace

schema::EndReason reason_of(BlockEnd end) {
  return end == BlockEnd::budget ? schema::EndReason::budget : schema::EndReason::interrupted;
}

// Once the first block has shown what a block costs.
Result<void> Session::State::warn_of_budget() {
  const int64_t cost = block_cost_ns(history.main);
  if (cost <= 0 || affordable((timing::kPairsToProve - 1) * cost)) return {};
  const auto left = static_cast<double>(limit_ns - history.spent_ns);
  const int blocks = 1 + static_cast<int>(std::max(left, 0.0) / static_cast<double>(cost));
  return record(too_short_a_budget(job.header.plan, blocks));
}

Result<void> Session::State::after_block(const BlockPlan& plan) {
  if (with.observer != nullptr) {
    std::vector<int> all(run.configs.size());
    std::iota(all.begin(), all.end(), 0);
    with.observer->on_block(estimates(run, all), progress());
  }
  const bool first = plan.block == 0 && plan.attempt == 0;
  if (first && planned_blocks >= timing::kPairsToProve) return warn_of_budget();
  return plan.added || history.stage_begun ? Result<void>() : warn_of_reach();
}

int Session::State::reachable_blocks() const {
  const schema::MeasurementPlan& plan = job.header.plan;
  return plan.budget_fixed ? affordable_blocks() : std::min(plan.blocks, affordable_blocks());
}

// As soon as the scatter leaves no doubt, and once.
Result<void> Session::State::warn_of_reach() {
  const schema::MeasurementPlan& plan = job.header.plan;
  // How far the extension goes is settled when the pilot ends.
  if (plan.blocks_fixed || history.next_block > plan.blocks || has_warned_of_reach()) return {};
  const int blocks = reachable_blocks();
  const auto seen = contrast_widths(run, living(history.main), history.next_block);
  const auto expected = outlook(seen, blocks);
  if (!expected || expected->at_least <= plan.target) return {};
  return record(out_of_reach(plan.target, blocks, expected->likely));
}

bool Session::State::has_warned_of_reach() const {
  return std::any_of(run.events.begin(), run.events.end(), [](const schema::Event& event) {
    return event.what.starts_with(kOutOfReach);
  });
}

bool Session::State::reached_target(int blocks) const {
  return all_within(contrast_widths(run, living(history.main), blocks), job.header.plan.target);
}

int Session::State::needed_blocks() const {
  const schema::MeasurementPlan& plan = job.header.plan;
  return blocks_needed(contrast_widths(run, living(history.main), plan.blocks), plan.blocks,
                       plan.target);
}

int Session::State::affordable_blocks() const {
  const int64_t cost = std::max<int64_t>(block_cost_ns(history.main), 1);
  const int64_t left = std::max<int64_t>(limit_ns - history.spent_ns, 0);
  constexpr int64_t kMost = 1'000'000;
  return history.next_block + static_cast<int>(std::min(left / cost, kMost));
}

// How far the extension goes is decided once, because looking again after each block costs
// coverage.
Result<schema::EndReason> Session::State::after_pilot() {
  const schema::MeasurementPlan& plan = job.header.plan;
  if (plan.blocks_fixed) return schema::EndReason::blocks_done;
  if (reached_target(plan.blocks)) return schema::EndReason::target_reached;
  // Without a budget of the user's own, what the pilot takes is enough.
  if (history.stage_begun || !plan.budget_fixed) return schema::EndReason::blocks_done;
  const int needed = needed_blocks();
  planned_blocks = std::min(needed, affordable_blocks());
  if (planned_blocks < needed && !has_warned_of_reach()) {
    const auto seen = contrast_widths(run, living(history.main), plan.blocks);
    if (const auto expected = outlook(seen, planned_blocks)) {
      auto reported = record(out_of_reach(plan.target, planned_blocks, expected->likely));
      if (!reported) return reported.error();
    }
  }
  const auto extension = run_blocks_until(planned_blocks);
  if (!extension) return extension.error();
  if (*extension != BlockEnd::complete) return reason_of(*extension);
  if (reached_target(planned_blocks)) return schema::EndReason::target_reached;
  return planned_blocks < needed ? schema::EndReason::budget : schema::EndReason::blocks_done;
}

Result<BlockEnd> Session::State::run_blocks_until(int end) {
  while (history.next_block < end) {
    if (with.stop.stop_requested()) return BlockEnd::interrupted;
    if (living(history.main).empty()) return BlockEnd::complete;
    if (!affordable(block_cost_ns(history.main))) return BlockEnd::budget;
    const BlockPlan plan{history.next_block, history.next_attempt, history.main, std::nullopt};
    auto ended = run_block(plan);
    if (!ended || *ended != BlockEnd::complete) return ended;
    ++history.next_block;
    history.next_attempt = 0;
    if (auto reported = after_block(plan); !reported) return reported.error();
  }
  return BlockEnd::complete;
}

}  // namespace batchscope::measure
