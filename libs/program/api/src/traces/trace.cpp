#include "batchscope/api/trace.hpp"

#include <fmt/format.h>

#include <limits>
#include <system_error>
#include <utility>

#include "batchscope/attribution/annotated_trace.hpp"
#include "trace_files.hpp"

namespace batchscope::api {
namespace {

namespace fs = std::filesystem;

// `annotated`: where the trace with idle time by cause goes, if it is wanted.
base::Result<advice::TraceSummary> summary_of(const fs::path& file, const TraceOptions& options,
                                              std::string* annotated = nullptr) {
  auto trace = trace::TraceReader(options.read).read(file);
  if (!trace) return std::move(trace).error();
  advice::SummaryOptions wanted = options.summary;
  wanted.keep_pieces = wanted.keep_pieces || annotated != nullptr;
  advice::TraceSummary summary = advice::summarise(*trace, wanted);
  if (annotated != nullptr)
    *annotated = attribution::annotated_trace(*trace, summary.attribution, summary.device_word);
  return summary;
}

// What is told of a profile that the same worker left before the one that counts.
std::string earlier_cycle(const TraceFiles::File& file, const advice::TraceSummary& summary) {
  return fmt::format("{}: profile {} of {} of one worker, of which the last counts: {}",
                     file.path.string(), file.cycle, file.cycles, summary.message);
}

}  // namespace

base::Result<TracedJob> trace(const std::vector<fs::path>& files, const TraceOptions& options) {
  std::error_code ignored;
  for (const fs::path& named : files) {
    if (options.annotate && fs::is_directory(named, ignored)) {
      return base::Error{base::ErrorKind::input, "is a folder", named.string()};
    }
  }
  auto all = trace_files(files);
  if (!all) return std::move(all).error();
  TracedJob traced;
  traced.left_out = std::move(all->left_out);
  std::vector<advice::TraceSummary> ranks;
  for (const TraceFiles::File& file : all->files) {
    auto summary = summary_of(file.path, options, options.annotate ? &traced.annotated : nullptr);
    if (!summary && (file.is_named || all->files.size() == 1)) return std::move(summary).error();
    if (!summary) {
      traced.left_out.push_back(base::to_string(summary.error()));
    } else if (file.cycle < file.cycles) {
      traced.left_out.push_back(earlier_cycle(file, *summary));
    } else {
      ranks.push_back(std::move(*summary));
    }
  }
  if (ranks.empty()) {
    return base::Error{base::ErrorKind::input,
                       fmt::format("no readable trace: {}", fmt::join(traced.left_out, "; ")),
                       files.front().string()};
  }
  traced.job = advice::compare_ranks(std::move(ranks));
  return traced;
}

namespace {

base::Result<std::vector<advice::TraceSummary>> side_of(const std::vector<fs::path>& named,
                                                        const TraceOptions& options) {
  auto files = trace_files(named);
  if (!files) return std::move(files).error();
  std::vector<advice::TraceSummary> side;
  for (const TraceFiles::File& file : files->files) {
    auto summary = summary_of(file.path, options);
    if (!summary) return std::move(summary).error();
    side.push_back(std::move(*summary));
  }
  if (side.empty()) {
    return base::Error{base::ErrorKind::input, "holds no trace", named.front().string()};
  }
  return side;
}

}  // namespace

base::Result<advice::TraceComparison> compare_traces(const std::vector<fs::path>& before,
                                                     const std::vector<fs::path>& after,
                                                     const TraceOptions& options) {
  // A name that only one side had room for would look as if it were new, or gone.
  TraceOptions all = options;
  all.summary.most_names = std::numeric_limits<size_t>::max();
  const auto first = side_of(before, all);
  if (!first) return first.error();
  const auto second = side_of(after, all);
  if (!second) return second.error();
  return advice::compare_traces(*first, *second);
}

}  // namespace batchscope::api
