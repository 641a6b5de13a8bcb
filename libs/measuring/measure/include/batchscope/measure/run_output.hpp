#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "batchscope/base/file.hpp"
#include "batchscope/base/result.hpp"
#include "batchscope/measure/sink.hpp"
#include "batchscope/schema/run_file.hpp"

namespace batchscope::measure {

// The run file of a process, held from before anything is loaded until the process is done with it,
// so that of two runs with one output the second is refused at once and neither can erase the
// other. What was in the file stays until sink() is asked for, and a file that was made here goes
// again with this object unless keep() was called: a run that comes to nothing leaves nothing in
// the way.
class RunOutput {
 public:
  // Takes the file, which must not be there or be empty, or makes it. Errors: usage (it exists, or
  // traces of a run of that name do), failed (another run writes it, or it cannot be written).
  static base::Result<RunOutput> create(const std::filesystem::path& path);
  // Takes the file whatever is in it, to replace it or to go on with it. Errors: failed.
  static base::Result<RunOutput> open(const std::filesystem::path& path);

  RunOutput(RunOutput&&) noexcept = default;
  RunOutput& operator=(RunOutput&&) = delete;
  RunOutput(const RunOutput&) = delete;
  RunOutput& operator=(const RunOutput&) = delete;
  ~RunOutput();

  // Writes after the first `keep_bytes` of the file and throws the rest of it away, and where that
  // is all of it, its traces. To be called once. Errors: failed.
  base::Result<std::unique_ptr<RunSink>> sink(int64_t keep_bytes);
  // The file stays, if the run has something to tell: a visit, a probe, a failure of one, or an end
  // that is more than an interruption.
  void keep(const schema::RunFile& run);
  // Whether what was written outlives this object. A file that was there before always does.
  bool is_kept() const { return !temporary_; }
  // Where its traces are to be kept.
  std::filesystem::path trace_folder() const;

 private:
  RunOutput(base::AppendFile file, bool made_here);

  std::shared_ptr<base::AppendFile> file_;  // shared with the sink; null when moved from
  bool temporary_;                          // what was written goes with this
  bool made_here_;                          // and the file
};

}  // namespace batchscope::measure
