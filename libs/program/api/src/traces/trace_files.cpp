#include "trace_files.hpp"

#include <string.h>  // strverscmp

#include <algorithm>
#include <map>
#include <system_error>
#include <utility>

#include "batchscope/api/trace.hpp"
#include "batchscope/bytes/byte_source.hpp"
#include "batchscope/bytes/peeked_source.hpp"
#include "batchscope/trace/cycles.hpp"
#include "batchscope/trace/formats.hpp"
#include "batchscope/trace/unreadable.hpp"

namespace batchscope::api {
namespace {

namespace fs = std::filesystem;

// Digits count as numbers, so that rank 10 comes behind rank 9.
bool comes_before(const fs::path& a, const fs::path& b) {
  return ::strverscmp(a.c_str(), b.c_str()) < 0;
}

const trace::UnreadableFormat* format_of(const fs::path& file) {
  auto opened = bytes::open_file(file);
  const std::string name = file.filename().string();
  if (!opened) return trace::unreadable_format(name, "");
  const bytes::PeekedSource head(std::move(*opened), trace::kHeadBytes);
  return trace::unreadable_format(name, head.head());
}

// Files of the folder that hold recordings, whether they can be read or not.
std::error_code list(const fs::path& folder, std::vector<fs::path>& files, TraceFiles& all) {
  std::error_code error;
  std::error_code none;
  for (auto each = fs::directory_iterator(folder, error);
       !error && each != fs::directory_iterator(); each.increment(error)) {
    const fs::path& file = each->path();
    if (!fs::is_regular_file(file, none)) continue;
    const auto* const format = format_of(file);
    if (format == nullptr && !trace::is_named_as_a_trace(file)) continue;
    const fs::path same = format == nullptr ? fs::path() : readable_beside(*format, file);
    if (same.empty()) {
      files.push_back(file);
    } else {
      all.left_out.push_back(file.string() + ": " + same.filename().string() + " holds the same");
    }
  }
  return error;
}

// Where XLA's profiler and TensorFlow's leave theirs below a log folder.
void list_profiles(const fs::path& folder, std::vector<fs::path>& files, TraceFiles& all) {
  std::error_code error;
  for (auto each = fs::directory_iterator(folder / "plugins" / "profile", error);
       !error && each != fs::directory_iterator(); each.increment(error)) {
    list(each->path(), files, all);
  }
}

// As archives leave them; empty where there is none, or more than one to choose from.
fs::path only_folder_in(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (auto each = fs::directory_iterator(folder, error);
       !error && each != fs::directory_iterator(); each.increment(error)) {
    if (fs::is_directory(each->symlink_status(error))) found.push_back(each->path());
  }
  return found.size() == 1 ? found.front() : fs::path();
}

base::Result<void> add_folder(const fs::path& folder, TraceFiles& all) {
  std::vector<fs::path> files;
  const std::error_code error = list(folder, files, all);
  if (error) {
    return base::Error{base::ErrorKind::input, "cannot read it: " + error.message(),
                       folder.string()};
  }
  list_profiles(folder, files, all);
  if (files.empty()) {
    if (const auto only = only_folder_in(folder); !only.empty()) return add_folder(only, all);
    return base::Error{base::ErrorKind::input, "the folder holds no trace", folder.string(),
                       "traces end in " + trace::endings() + " or .nsys-rep"};
  }
  std::sort(files.begin(), files.end(), comes_before);
  for (fs::path& file : files) all.files.push_back({std::move(file)});
  return {};
}

// Numbers the profiles of each worker.
void number_cycles(TraceFiles& all) {
  std::map<std::string, std::map<std::string, std::vector<TraceFiles::File*>>> workers;
  for (TraceFiles::File& file : all.files) {
    trace::Worker worker = trace::worker_of(file.path);
    if (!worker.name.empty()) workers[worker.name][worker.span].push_back(&file);
  }
  for (auto& [name, spans] : workers) {
    size_t cycle = 0;
    for (auto& [span, files] : spans) {
      ++cycle;
      for (TraceFiles::File* const file : files) {
        file->cycle = cycle;
        file->cycles = spans.size();
      }
    }
  }
}

}  // namespace

base::Result<TraceFiles> trace_files(const std::vector<fs::path>& named) {
  TraceFiles all;
  for (const fs::path& path : named) {
    std::error_code ignored;
    if (!fs::is_directory(path, ignored)) {
      all.files.push_back({path, true});
    } else if (auto added = add_folder(path, all); !added) {
      return std::move(added).error();
    }
  }
  number_cycles(all);
  return all;
}

}  // namespace batchscope::api
