#include "batchscope/measure/trace_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <vector>

namespace batchscope::measure {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnd = ".trace.json.gz";

// Those that end as ours do, whole or in the middle of being written.
std::vector<fs::path> traces_in(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator each(folder, error), end; !error && each != end;
       each.increment(error)) {
    if (each->path().filename().string().find(kEnd) != std::string::npos) {
      found.push_back(each->path());
    }
  }
  return found;
}

}  // namespace

fs::path trace_folder_of(const fs::path& run_file) {
  fs::path folder = run_file;
  return folder.replace_extension(".traces");
}

bool holds_traces(const fs::path& folder) {
  return !traces_in(folder).empty();
}

void remove_traces(const fs::path& folder) {
  std::error_code ignored;
  for (const fs::path& each : traces_in(folder)) fs::remove_all(each, ignored);
  fs::remove(folder, ignored);  // only where it is empty
}

std::string trace_name(const schema::RunConfig& run, int config,
                       std::span<const schema::Visit> visits) {
  std::string stem = fmt::format("batch-{}", run.shape.batch_size);
  if (run.shape.seq_len) stem += fmt::format(".len-{}", *run.shape.seq_len);
  stem += fmt::format(".config-{}", config);
  const auto is_taken = [&](const std::string& name) {
    return std::any_of(visits.begin(), visits.end(), [&](const schema::Visit& visit) {
      return visit.diagnosis && fs::path(visit.diagnosis->trace_file).filename() == name;
    });
  };
  std::string name = stem + std::string(kEnd);
  for (int again = 2; is_taken(name); ++again) name = fmt::format("{}.{}{}", stem, again, kEnd);
  return name;
}

std::string recorded_name(const fs::path& trace_file) {
  return (trace_file.parent_path().filename() / trace_file.filename()).generic_string();
}

}  // namespace batchscope::measure
