#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/engine/engine.hpp"
#include "batchscope/engine/install_paths.hpp"
#include "batchscope/measure/executor.hpp"
#include "batchscope/measure/observer.hpp"
#include "batchscope/measure/sink.hpp"
#include "batchscope/schema/run_file.hpp"

// Read first: a Session measures a Job in blocks of visits, which an executor makes.
namespace batchscope::measure {

// What is to be measured. `header` holds the plan and the seed; `models` has a spec for every
// RunConfig::model: under that name, or where engines have files of their own under "engine/model".
struct Job {
  schema::Header header;
  std::vector<schema::RunConfig> configs;
  std::map<std::string, engine::ModelSpec> models;
};

std::string model_key(const std::string& engine, const std::string& model);
// The spec of a configuration's model; null where the job has none.
const engine::ModelSpec* find_spec(const Job& job, const schema::RunConfig& config);

// Who works for a run. All outlive the session; `observer` may be null.
struct Collaborators {
  VisitExecutor& executor;
  RunSink& sink;
  Observer* observer = nullptr;
  std::stop_token stop;
  engine::InstallPaths places{};  // of plugins, which say what their engines are
  // What was noticed before the run, and told: recorded as soon as the run has begun.
  std::vector<schema::Event> noticed{};
  // Where traces of diagnostic visits are kept, if the plan wants them; empty: nowhere.
  std::filesystem::path trace_folder{};
  // What loading and trying the models took before the run: part of its budget, but at most half of
  // one, so that something is measured in every budget.
  double prepared_s = 0;
};

// Blocks that are measured after the main part, for what an analysis left open.
struct Stage {
  std::vector<schema::RunConfig> added;  // new configurations
  std::vector<int> again;                // indices of known ones, measured again beside them
  // Of the visits; in a stage of controls, of the added ones' only.
  schema::Purpose purpose = schema::Purpose::control;
  int blocks = 6;
  double budget_s = 0;     // wall time for this stage alone
  double min_visit_s = 0;  // of the timed part of its visits, where that is more than the plan has
};

// How many diagnostic visits show all of a configuration that the plan wants to see: the threads'
// shares and the tracer's times cannot be had from the same process.
int diagnostic_visits(const schema::MeasurementPlan& plan);

// Time inside iterations, timed or warm-up, of all visits.
int64_t iteration_ns(const schema::RunFile& run);

// One run, from its first line to its end record. The order of every block follows from the seed
// and the block's number alone, and how long a visit lasts from the visits recorded before it, so
// that a resumed run goes on as it would have.
class Session {
 public:
  // A new run: begin() writes its header and configurations.
  Session(Job job, Collaborators collaborators);
  // A run that goes on. `recorded` is what resume() accepted.
  Session(Job job, schema::RunFile recorded, Collaborators collaborators);
  ~Session();
  Session(Session&&) noexcept;

  base::Result<void> begin();
  // The main part: the pilot, then at most one extension; returns the reason that ended it
  // (target_reached, blocks_done, budget, nothing_left, interrupted). An interruption is a
  // reason, not an error. Errors: failed (the sink's or the executor's).
  base::Result<schema::EndReason> run_main();
  // Blocks beyond the main part. Returns the reason: blocks_done, budget, nothing_left,
  // interrupted.
  base::Result<schema::EndReason> run_stage(const Stage& stage);
  // One block of the main part by itself, whatever the number of those recorded: a run whose blocks
  // are measured on several machines has recorded the first ones, which show the others how long a
  // model warms up and what fails. Errors: the sink's and the executor's; interrupted.
  base::Result<void> run_block(int block);
  // Where engines were measured on the same work: how far their outputs are apart on the same
  // input, once for each two engines, and not again where it is recorded. What fails becomes an
  // event. Errors: the sink's and the executor's; an interruption is none.
  base::Result<void> compare_engines();
  // Records a warning that belongs to no visit. Errors: the sink's.
  base::Result<void> warn(std::string message, std::string fix);
  // Writes the end record: for `reason`, or `interrupted` where a stop was asked for.
  base::Result<schema::End> finish(schema::EndReason reason);

  // Everything measured so far, as it stands in the file.
  const schema::RunFile& recorded() const;
  double spent_s() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// begin(), run_main() and finish() in one. When no configuration could be measured at all, the end
// says `nothing_left` and recorded visits are none; the caller decides what that means.
base::Result<schema::End> run(Session& session);

}  // namespace batchscope::measure
