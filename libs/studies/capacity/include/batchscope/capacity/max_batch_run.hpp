#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/capacity/max_batch.hpp"
#include "batchscope/capacity/oom_limits.hpp"
#include "batchscope/host/oom_kills.hpp"
#include "batchscope/measure/session.hpp"

namespace batchscope::capacity {

// A soak lasts at least so many iterations, however long they take.
inline constexpr int kSoakIterations = 10;

// Hears of everything as it happens, after it is on disk; may be null.
class MaxBatchObserver {
 public:
  virtual ~MaxBatchObserver() = default;
  virtual void on_config(const schema::RunConfig& config) = 0;
  virtual void on_ask(const ProbeAsk& ask) = 0;
  virtual void on_probe(const schema::Probe& probe) = 0;
  virtual void on_warning(const std::string& text) = 0;
};

// Who works for a search. All outlive it.
struct MaxBatchCollaborators {
  // Workers that are held to so many bytes (absent: not held), each visit at most so long.
  using MakeExecutor = std::function<std::unique_ptr<measure::VisitExecutor>(
      std::optional<int64_t> limit_bytes, double timeout_s)>;
  MakeExecutor make_executor;
  measure::RunSink& sink;
  OomLimits& ceilings;
  std::function<host::OomKills()> read_oom_kills;
  MaxBatchObserver* observer = nullptr;
  std::stop_token stop{};
};

// Finds the largest batch of each configuration of the job, one after the other, and writes every
// probe down before it is made and after it. `run`: what is recorded of it; a new one has neither
// probes nor an end, and its header and configurations are written here. A probe that a recorded
// run did not end is made again, unless the kernel has killed for memory since and the peaks so far
// do not speak against it: then it is believed to have run out of it, in this run alone. Errors:
// the sink's, and the executor's that would hit every visit.
base::Result<void> find_max_batches(const measure::Job& job, const schema::MaxBatchSettings& plan,
                                    const MaxBatchCollaborators& with, schema::RunFile& run);

// "449 MiB (allocated; 486 MiB reserved)": the peak of a try that has one, with what counts it and,
// on an accelerator, what its allocator took from the device for it.
std::string peak_words(const schema::Probe& probe);

// A size that fitted in some of its tries only.
struct LivedSometimes {
  int64_t batch_size = 1;
  int lived = 0, tries = 0;
};

// What a search came to for one configuration.
struct FoundBatch {
  schema::RunConfig config;  // its batch size says nothing
  int64_t largest = 0;       // 0: not even one sample fits
  bool complete = false;     // nothing is left to try
  MaxBatchBound bound = MaxBatchBound::none;
  std::optional<schema::Probe> above;  // the try that bounds it, or the ceiling of an earlier run
  std::optional<int64_t> safe;
  std::optional<schema::Probe> soak;  // of `safe`
  int64_t safe_bytes = 0;             // what the soak was held to
  bool hit_unknown_limit = false;     // see MaxBatch
  std::optional<MemoryModel> memory;
  std::optional<schema::Probe> need;              // one sample without the limit, where none fits
  std::vector<schema::Probe> probes;              // all that ended
  std::vector<LivedSometimes> lived_sometimes{};  // of the sizes above `largest`, ascending
};

// Of the run file alone.
std::vector<FoundBatch> found_batches(const schema::RunFile& run,
                                      const schema::MaxBatchSettings& plan);

void write_max_batch_plan(const schema::MaxBatchSettings& plan, schema::Header& header);
// Errors: input (the header is not that of such a search).
base::Result<schema::MaxBatchSettings> read_max_batch_plan(const schema::Header& header);

}  // namespace batchscope::capacity
