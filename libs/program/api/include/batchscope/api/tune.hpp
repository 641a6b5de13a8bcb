#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "batchscope/api/measure_options.hpp"
#include "batchscope/api/measured_run.hpp"
#include "batchscope/api/program.hpp"
#include "batchscope/base/result.hpp"
#include "batchscope/findings/tuning.hpp"
#include "batchscope/measure/observer.hpp"
#include "batchscope/measure/session.hpp"
#include "batchscope/tune/export.hpp"
#include "batchscope/tune/tune.hpp"

namespace batchscope::api {

// Of the grid, where none are stated.
const std::vector<int64_t>& default_tune_sizes();

// Wall time of a tuning run, where no budget is stated.
inline constexpr double kTuneBudgetS = 600;

// The axes of its request make the grid. Where they are not stated, batch_sizes are
// default_tune_sizes() and instances 1, 2, 4 and so on as long as each has a core.
struct TuneOptions : MeasureOptions {
  tune::TunePlan plan{};
  std::optional<int64_t> max_batch_size{};    // larger ones are no points of the grid
  bool forget_ceilings = false;               // what ran out of memory before is tried again
  std::vector<tune::ExportFormat> exports{};  // that some point of the grid has to have words for
  // Flags that may be stated beside those of MeasureOptions: --batch-sizes, --instances, and those
  // of plan.goal.
};

struct TunedRun : MeasuredRun {
  findings::Tuning tuning{};  // what the run came to; nothing, where it was interrupted
};

// Finds the setting to use by measuring few points of the grid, and holds the pick against the
// default in fresh visits. A run file that is gone on with and is complete is returned as it is.
// Observers may be null. Errors: as profile, and usage (a grid of different work, or without a
// point; a bound that cannot be told; an export that could hold no point).
base::Result<TunedRun> tune(const Program& program, const TuneOptions& options,
                            measure::Observer* observer = nullptr,
                            tune::TuneObserver* tune_observer = nullptr);

struct TuneJob {
  measure::Job job;
  tune::TunePlan plan;
};
// The grid that it would search; nothing is written, and nothing forgotten. Errors: as tune.
base::Result<TuneJob> tune_job(const Program& program, const TuneOptions& options);

// A search of a table in place of a machine.
struct ReplayOptions {
  std::filesystem::path table{};  // a run file (.jsonl), or CSV as for import_table
  tune::TunePlan plan{};
  double noise = 0;  // of one visit, ln units
  uint64_t seed = 1;
  std::optional<int64_t> current_batch_size{};
  std::optional<int64_t> max_batch_size{};  // larger ones are left out
};

// `told` hears of every visit, with what it is of, before it is made; may be empty. Bounds of the
// recorded run are kept where the options set none. Errors: input (the table cannot be read or
// searched), usage (a bound that it cannot tell of, nothing left).
using VisitReport =
    std::function<void(const tune::Suggestion& ask, const schema::RunConfig& config)>;
base::Result<findings::Tuning> replay(const Program& program, const ReplayOptions& options,
                                      const VisitReport& reported = {});

// What is to be deployed of a tuning: its pick. `models`: what is known of them.
tune::Deployment deployment_of(const Program& program, const findings::Tuning& tuning,
                               const std::vector<schema::ModelInfo>& models);

}  // namespace batchscope::api
