#include "batchscope/api/trace.hpp"

#include <string.h>  // strverscmp

#include <algorithm>
#include <limits>
#include <system_error>
#include <utility>

#include "batchscope/attribution/annotated_trace.hpp"

namespace batchscope::api {
namespace {

namespace fs = std::filesystem;

// Digits count as numbers, so that rank 10 comes behind rank 9.
bool comes_before(const fs::path& a, const fs::path& b) {
  return ::strverscmp(a.c_str(), b.c_str()) < 0;
}

base::Result<std::vector<fs::path>> traces_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (auto each = fs::directory_iterator(folder, error);
       !error && each != fs::directory_iterator(); each.increment(error)) {
    if (is_named_as_a_trace(each->path())) files.push_back(each->path());
  }
  if (error) {
    return base::Error{base::ErrorKind::input, "cannot be read: " + error.message(),
                       folder.string()};
  }
  if (files.empty()) {
    return base::Error{base::ErrorKind::input, "the folder holds no trace", folder.string(),
                       "traces end in .json, .json.gz, .json.zst or .sqlite"};
  }
  std::sort(files.begin(), files.end(), comes_before);
  return files;
}

// `annotated`: where the trace with idle time by cause goes, if it is wanted.
base::Result<advice::TraceSummary> summary_of(const fs::path& file, const TraceOptions& options,
                                              std::string* annotated = nullptr) {
  auto trace = trace::TraceReader(options.read).read(file);
  if (!trace) return std::move(trace).error();
  advice::SummaryOptions wanted = options.summary;
  wanted.keep_pieces = wanted.keep_pieces || annotated != nullptr;
  advice::TraceSummary summary = advice::summarise(*trace, wanted);
  if (annotated != nullptr) *annotated = attribution::annotated_trace(*trace, summary.attribution);
  return summary;
}

}  // namespace

bool is_named_as_a_trace(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.ends_with(".json") || name.ends_with(".json.gz") || name.ends_with(".json.zst") ||
         name.ends_with(".sqlite");
}

base::Result<TracedJob> trace(const std::vector<fs::path>& files, const TraceOptions& options) {
  TracedJob traced;
  std::vector<advice::TraceSummary> ranks;
  for (const fs::path& named : files) {
    std::error_code ignored;
    const bool is_folder = fs::is_directory(named, ignored);
    base::Result<std::vector<fs::path>> all = std::vector<fs::path>{named};
    if (is_folder && options.annotate) {
      return base::Error{base::ErrorKind::input, "is a folder", named.string()};
    }
    if (is_folder) all = traces_in(named);
    if (!all) return std::move(all).error();
    for (const fs::path& file : *all) {
      auto summary = summary_of(file, options, options.annotate ? &traced.annotated : nullptr);
      if (summary) {
        ranks.push_back(std::move(*summary));
      } else if (is_folder && all->size() > 1) {
        traced.left_out.push_back(base::to_string(summary.error()));
      } else {
        return std::move(summary).error();
      }
    }
  }
  traced.job = advice::compare_ranks(std::move(ranks));
  return traced;
}

base::Result<advice::TraceComparison> compare_traces(const fs::path& before, const fs::path& after,
                                                     const TraceOptions& options) {
  // A name that only one side had room for would look as if it were new, or gone.
  TraceOptions all = options;
  all.summary.most_names = std::numeric_limits<size_t>::max();
  const auto first = summary_of(before, all);
  if (!first) return first.error();
  const auto second = summary_of(after, all);
  if (!second) return second.error();
  return advice::compare_traces(*first, *second);
}

}  // namespace batchscope::api
