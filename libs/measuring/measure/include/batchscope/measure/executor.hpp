#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <variant>

#include "batchscope/base/result.hpp"
#include "batchscope/engine/engine.hpp"
#include "batchscope/schema/outputs.hpp"
#include "batchscope/schema/run_config.hpp"
#include "batchscope/schema/visit.hpp"

namespace batchscope::measure {

// When the first iterations are over (docs/design/method.md, 1.7): at least `at_least`, which is
// enough where one lasts `long_ns`; else until the medians of the last two pairs agree within
// `agreement`, at most `at_most` iterations or `at_most_ns`. `fixed` overrides all of it.
struct WarmupRule {
  int at_least = 2;
  int at_most = 10;
  int64_t at_most_ns = 2'000'000'000;
  int64_t long_ns = 200'000'000;
  double agreement = 0.02;
  std::optional<int> fixed;
};

// How long the timed part lasts: at least `at_least` iterations and `at_least_ns`; then on until it
// has taken `over_startup` times what the visit spent before it outside its iterations (start,
// load, prepare), though for that not beyond `amortised_most_ns` or `enough` samples. `fixed`
// overrides all of it.
struct TimedRule {
  int at_least = 5;  // as schema::MeasurementPlan::min_iterations
  int64_t at_least_ns = 250'000'000;
  double over_startup = 0;
  int64_t amortised_most_ns = 5'000'000'000;
  int64_t enough = 10'000;
  std::optional<int> fixed;
};

// What the output of a configuration is held against: the same work of another engine.
struct Against {
  schema::RunConfig run;
  engine::ModelSpec model;
};

// One configuration to be measured once.
struct VisitRequest {
  int config = 0;   // index into the run's configurations
  int block = 0;    // from 0
  int order = 0;    // place within the block, from 0
  int attempt = 0;  // > 0 when the block is repeated
  schema::Purpose purpose = schema::Purpose::measure;
  schema::RunConfig run;
  engine::ModelSpec model;
  bool wait_each = true;  // false: sync end
  // Diagnostic: with the engine's tracer and log; else with threads that sleep while they wait, so
  // that the CPU time of each is its work.
  bool traced = true;
  // Of a traced visit: where the trace is kept, as seen from anywhere; empty: nowhere.
  std::string trace_file;
  WarmupRule warmup;
  TimedRule timed;
  // Of the device's memory, that the model has to do without (engine::Model::hold_back).
  int64_t held_back_bytes = 0;
  engine::VisitContext context;
  std::optional<Against> against;  // of VisitExecutor::compare alone
};

// A visit that gave no times: what happened, and the wall time it cost.
struct VisitFailure {
  schema::Event event;  // out-of-memory, crash, timeout, error
  int64_t wall_ns = 0;
  // A worker was ended by SIGKILL, and had no memory group of its own that would tell whether that
  // was the kernel, for memory.
  bool killed_for_unknown = false;
};

using VisitOutcome = std::variant<schema::Visit, VisitFailure>;
using CompareOutcome = std::variant<schema::OutputDifference, VisitFailure>;

// Makes visits, one at a time. A failure of the model or of its process is a VisitFailure; an Error
// is for what would hit every visit (the program cannot be started, no such engine) and for
// `interrupted`.
class VisitExecutor {
 public:
  virtual ~VisitExecutor() = default;
  virtual base::Result<VisitOutcome> visit(const VisitRequest& request, std::stop_token stop) = 0;
  // Runs the configuration and what it is held against on one input, untimed, and says how far
  // their outputs are apart. Errors: as visit. Executors that cannot give a VisitFailure.
  virtual base::Result<CompareOutcome> compare(const VisitRequest& request,
                                               const std::stop_token& stop);
  // All of a block's visits are made: a process that was kept for it ends.
  virtual void end_block() {}
  // How many processes that models had detached were ended with them since the last call.
  virtual int take_left_behind() { return 0; }
};

}  // namespace batchscope::measure
