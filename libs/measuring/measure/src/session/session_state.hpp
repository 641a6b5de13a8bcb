#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "batchscope/measure/session.hpp"
#include "batchscope/timing/warmups.hpp"
#include "history.hpp"

namespace batchscope::measure {

enum class BlockEnd { complete, budget, interrupted };
// As a run's end record says it.
schema::EndReason reason_of(BlockEnd end);

// One block to be made.
struct BlockPlan {
  int block = 0;
  int attempt = 0;
  std::vector<int> configs;
  std::optional<schema::Purpose> added;  // of configurations outside the main part
  double min_visit_s = 0;
};

struct Session::State {
  State(Job the_job, schema::RunFile the_run, Collaborators the_collaborators, bool is_resumed);

  // Makes one block. Errors: the sink's and the executor's.
  base::Result<BlockEnd> run_block(const BlockPlan& plan);
  // Blocks next_block .. end-1 of the main part. Returns the first end that is not `complete`.
  base::Result<BlockEnd> run_blocks_until(int end);

  base::Result<void> after_block(const BlockPlan& plan);
  // The pilot is complete: is it enough, and if not, what more is to be done? Returns the reason
  // that ended the main part.
  base::Result<schema::EndReason> after_pilot();

  // Written to the file and kept.
  base::Result<void> record(schema::Visit visit);
  base::Result<void> record(schema::Event event);
  // The same of what the observer knows already.
  base::Result<void> keep(schema::Event event);
  base::Result<void> add_config(const schema::RunConfig& config);

  bool is_dropped(int config) const;
  std::vector<int> living(const std::vector<int>& configs) const;
  Progress progress() const;
  // Whether `ns` more may still be spent.
  bool affordable(int64_t ns) const { return history.spent_ns + ns <= limit_ns; }
  // What one block of these configurations is expected to cost; 0 when nothing is known.
  int64_t block_cost_ns(const std::vector<int>& configs) const;

  Job job;
  schema::RunFile run;
  Collaborators with;
  bool resumed = false;
  History history;
  int64_t limit_ns = std::numeric_limits<int64_t>::max();  // of history.spent_ns
  int planned_blocks = 0;                                  // of the main part

 private:
  // `previous_batch_size`: of the visit before in the block; 0 for the first.
  std::vector<int> held_against(const BlockPlan& plan, int config) const;
  VisitRequest request(const BlockPlan& plan, int config, int order,
                       int64_t previous_batch_size) const;
  // Where its next trace is kept; empty: nowhere.
  std::string trace_file(int config) const;
  base::Result<void> take(const VisitRequest& request, VisitOutcome outcome);
  base::Result<void> tell_left_behind(const schema::RunPlace& where);
  base::Result<void> fail(const VisitRequest& request, VisitFailure failure);
  int64_t visit_cost_ns(int config) const;
  base::Result<void> warn_of_budget();
  // Says when the target cannot be reached, and what will be.
  base::Result<void> warn_of_reach();
  bool has_warned_of_reach() const;
  int reachable_blocks() const;  // in all, if the run goes on as it does
  bool reached_target(int blocks) const;
  int needed_blocks() const;      // in all, as the pilot shows
  int affordable_blocks() const;  // in all, within the limit

  timing::Warmups warmups_;       // of the block that runs
  std::vector<int64_t> cost_ns_;  // of the latest visit, by configuration; 0: none yet
  int block_ = 0;
  int block_visits_ = 0;
  std::vector<int> block_configs_;
  int visits_done_ = 0;
};

}  // namespace batchscope::measure
