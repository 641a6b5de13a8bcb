#include "batchscope/measure/run_output.hpp"

#include <algorithm>

namespace batchscope::measure {

using base::Result;

namespace {

// An empty file of the user's is theirs too.
bool is_there(const std::filesystem::path& path) {
  std::error_code unknown;
  return std::filesystem::exists(path, unknown);
}

}  // namespace

Result<RunOutput> RunOutput::create(const std::filesystem::path& path) {
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
  if (made_here_) {
    file_->remove();
  } else {
    static_cast<void>(file_->cut(0));  // as empty as it was
  }
}

Result<std::unique_ptr<RunSink>> RunOutput::sink(int64_t keep_bytes) {
  if (auto kept = file_->cut(keep_bytes); !kept) return kept.error();
  return make_file_sink(file_);
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
