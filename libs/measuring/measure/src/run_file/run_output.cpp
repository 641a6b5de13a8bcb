#include "batchscope/measure/run_output.hpp"

#include <algorithm>

#include "batchscope/measure/trace_folder.hpp"

namespace batchscope::measure {

using base::Result;

namespace {

// An empty file of the user's is theirs too.
bool is_there(const std::filesystem::path& path) {
  std::error_code unknown;
  return std::filesystem::exists(path, unknown);
}

bool is_filled(const std::filesystem::path& path) {
  std::error_code unknown;
  const auto size = std::filesystem::file_size(path, unknown);
  return !unknown && size > 0;
}

}  // namespace

// Traces without their run file would look as if they were those of the new one.
Result<RunOutput> RunOutput::create(const std::filesystem::path& path) {
  const std::filesystem::path traces = trace_folder_of(path);
  if (!is_filled(path) && holds_traces(traces)) {
    return base::Error{base::ErrorKind::usage, "holds traces of an earlier run", traces.string()};
  }
  const bool made_here = !is_there(path);
  auto file = base::AppendFile::create(path);
  if (!file) return std::move(file).error();
  return RunOutput(*std::move(file), made_here);
}

Result<RunOutput> RunOutput::open(const std::filesystem::path& path) {
  const bool made_here = !is_there(path);
  auto file = base::AppendFile::open(path);
  if (!file) return std::move(file).error();
  return RunOutput(*std::move(file), made_here);
}

RunOutput::RunOutput(base::AppendFile file, bool made_here)
    : file_(std::make_shared<base::AppendFile>(std::move(file))),
      temporary_(file_->size() == 0),
      made_here_(made_here) {}

// While it is still locked: once it is not, it may be somebody else's.
RunOutput::~RunOutput() {
  if (!file_ || !temporary_) return;
  remove_traces(trace_folder());
  if (made_here_) {
    file_->remove();
  } else {
    static_cast<void>(file_->cut(0));  // as empty as it was
  }
}

Result<std::unique_ptr<RunSink>> RunOutput::sink(int64_t keep_bytes) {
  if (auto kept = file_->cut(keep_bytes); !kept) return kept.error();
  if (keep_bytes == 0) remove_traces(trace_folder());
  return make_file_sink(file_);
}

std::filesystem::path RunOutput::trace_folder() const {
  return std::filesystem::absolute(trace_folder_of(file_->path()));
}

void RunOutput::keep(const schema::RunFile& run) {
  const bool interrupted = run.end && run.end->reason == schema::EndReason::interrupted;
  const auto tells_by_itself = [&](const schema::Event& event) {
    return !interrupted || event.kind != schema::EventKind::warning;
  };
  const bool tells = !run.visits.empty() || !run.probes.empty() || (run.end && !interrupted) ||
                     std::any_of(run.events.begin(), run.events.end(), tells_by_itself);
  if (tells) temporary_ = false;
}

}  // namespace batchscope::measure
