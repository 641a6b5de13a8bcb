#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/stepfeed/step_feed.hpp"
#include "batchscope/telemetry/sample.hpp"

// Steps of a training that is over, or goes on, as its own framework wrote them: formats are rows
// of src/formats/formats.cpp.
namespace batchscope::stepfeed {

struct StepLog {
  // In their order. Without a time of its own, a step ended when those before it were made; the
  // last, when the file was last written. One of no seconds tells its loss alone.
  std::vector<telemetry::TrainingStep> steps;
  std::string format;             // "the log of nanoGPT"
  bool steps_are_epochs = false;  // each line is of one
  // What no step tells, by the names of the feed: "seconds", "loading_seconds", "batch_size", and
  // how to have it, where that is known.
  std::vector<std::string> missing;
  bool has_mean_times = false;  // each is that of the whole training, over its steps
  FeedCounts counts;            // of a file that is of no format but the feed's
};

// Whether there are steps in the first MiB of a file.
bool is_step_log(const std::filesystem::path& file);
// Errors: input (cannot be read, no step in it: which formats are known).
base::Result<StepLog> read_step_log(const std::filesystem::path& file);

}  // namespace batchscope::stepfeed
