#include "batchscope/measure/session.hpp"

#include <algorithm>
#include <cmath>

#include "session_state.hpp"

namespace batchscope::measure {
namespace {

using base::Result;

constexpr double kNanosecondsASecond = 1e9;

schema::RunFile new_run(const Job& job) {
  schema::RunFile run;
  run.header = job.header;
  run.configs = job.configs;
  return run;
}

int64_t plus_seconds(int64_t ns, double seconds) {
  return ns + std::llround(seconds * kNanosecondsASecond);
}

}  // namespace

Session::Session(Job job, Collaborators collaborators) {
  schema::RunFile run = new_run(job);
  state_ = std::make_unique<State>(std::move(job), std::move(run), std::move(collaborators), false);
}

Session::Session(Job job, schema::RunFile recorded, Collaborators collaborators)
    : state_(std::make_unique<State>(std::move(job), std::move(recorded), std::move(collaborators),
                                     true)) {}

Session::~Session() = default;
Session::Session(Session&&) noexcept = default;

Result<void> Session::begin() {
  State& state = *state_;
  state.planned_blocks = state.job.header.plan.blocks;
  if (state.resumed) {
    const auto& known = state.run.header.notes;
    for (const std::string& note : state.job.header.notes) {
      if (std::find(known.begin(), known.end(), note) != known.end()) continue;
      schema::Event event;
      event.kind = schema::EventKind::warning;
      event.what = note;
      if (auto kept = state.record(std::move(event)); !kept) return kept;
    }
  } else {
    auto kept = state.with.sink.begin(state.run.header, state.run.configs);
    if (!kept) return kept;
  }
  if (state.with.observer != nullptr) state.with.observer->on_start(state.run, state.progress());
  for (schema::Event& event : state.with.noticed) {
    if (auto kept = state.keep(std::move(event)); !kept) return kept;
  }
  return {};
}

Result<schema::EndReason> Session::run_main() {
  State& state = *state_;
  const schema::MeasurementPlan& plan = state.job.header.plan;
  const bool bounded = plan.budget_fixed || !plan.blocks_fixed;
  if (bounded) state.limit_ns = plus_seconds(0, plan.budget_s * schema::share_of_main_part(plan));
  state.planned_blocks = std::max(plan.blocks, state.history.next_block);
  if (!state.history.stage_begun) {
    const auto pilot = state.run_blocks_until(plan.blocks);
    if (!pilot) return pilot.error();
    if (*pilot != BlockEnd::complete) return reason_of(*pilot);
  }
  if (state.living(state.history.main).empty()) return schema::EndReason::nothing_left;
  return state.after_pilot();
}

Result<void> Session::run_block(int block) {
  State& state = *state_;
  state.planned_blocks = block + 1;
  const auto ended = state.run_block({block, 0, state.history.main, std::nullopt});
  if (!ended) return ended.error();
  if (*ended == BlockEnd::complete) return {};
  return base::Error{base::ErrorKind::interrupted, "interrupted", "", ""};
}

Result<schema::EndReason> Session::run_stage(const Stage& stage) {
  State& state = *state_;
  BlockPlan plan;
  plan.block = state.history.next_block;
  for (const schema::Visit& visit : state.run.visits) {
    plan.block = std::max(plan.block, visit.block + 1);
  }
  plan.added = stage.purpose;
  plan.min_visit_s = stage.min_visit_s;
  plan.configs = stage.again;
  for (const schema::RunConfig& config : stage.added) {
    plan.configs.push_back(static_cast<int>(state.run.configs.size()));
    if (auto kept = state.add_config(config); !kept) return kept.error();
  }
  std::sort(plan.configs.begin(), plan.configs.end());
  state.limit_ns = plus_seconds(state.history.spent_ns, stage.budget_s);
  const int end = plan.block + stage.blocks;
  state.planned_blocks = end;
  for (; plan.block < end; ++plan.block) {
    if (state.with.stop.stop_requested()) return schema::EndReason::interrupted;
    if (state.living(plan.configs).empty()) return schema::EndReason::nothing_left;
    if (!state.affordable(state.block_cost_ns(plan.configs))) return schema::EndReason::budget;
    const auto ended = state.run_block(plan);
    if (!ended) return ended.error();
    if (*ended != BlockEnd::complete) return reason_of(*ended);
    if (auto reported = state.after_block(plan); !reported) return reported.error();
  }
  return schema::EndReason::blocks_done;
}

Result<void> Session::warn(std::string message, std::string fix) {
  return state_->record({{std::move(message), {}, std::move(fix)}, schema::EventKind::warning});
}

Result<schema::End> Session::finish(schema::EndReason reason) {
  State& state = *state_;
  schema::End end;
  // Whoever stopped the run during its last visit has stopped it too.
  end.reason = state.with.stop.stop_requested() ? schema::EndReason::interrupted : reason;
  end.wall_s = spent_s();
  end.iteration_s = static_cast<double>(iteration_ns(state.run)) / kNanosecondsASecond;
  if (auto kept = state.with.sink.end(end); !kept) return kept.error();
  if (end.reason == schema::EndReason::budget) ++state.run.budgets_spent;
  state.run.end = end;
  if (state.with.observer != nullptr) state.with.observer->on_end(end);
  return end;
}

const schema::RunFile& Session::recorded() const {
  return state_->run;
}

double Session::spent_s() const {
  return static_cast<double>(state_->history.spent_ns) / kNanosecondsASecond;
}

Result<schema::End> run(Session& session) {
  if (auto begun = session.begin(); !begun) return begun.error();
  const auto reason = session.run_main();
  if (!reason) return reason.error();
  return session.finish(*reason);
}

}  // namespace batchscope::measure
