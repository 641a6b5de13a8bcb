#include "baseline_index.hpp"

#include "batchscope/base/file.hpp"
#include "batchscope/schema/json_line.hpp"

namespace batchscope::api {
namespace {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorKind;
using base::Result;
using schema::Baseline;
using schema::SavedRun;

constexpr const char* kIndex = "baseline.json";
constexpr int64_t kMostIndexBytes = int64_t{16} << 20;

}  // namespace

// Beside the files, which may be moved with it.
Result<void> write_index(const fs::path& folder, Baseline baseline) {
  for (SavedRun& run : baseline.runs) run.file = fs::path(run.file).filename().string();
  return base::write_file_atomically(folder / kIndex, schema::json_document(baseline));
}

Result<std::optional<Baseline>> read_index(const fs::path& folder) {
  const fs::path path = folder / kIndex;
  std::error_code absent;
  if (!fs::exists(path, absent)) return std::optional<Baseline>();
  const auto text = base::read_file(path, kMostIndexBytes);
  if (!text) return text.error();
  schema::JsonLine json;
  Baseline baseline;
  std::string problem;
  const bool is_read = json.take(*text) && json.read(baseline, problem) && problem.empty();
  if (!is_read || baseline.runs.empty()) {
    return Error{ErrorKind::input, "is not a list of saved runs", path.string(),
                 "save the baseline again, or remove its folder"};
  }
  baseline.name = folder.filename().string();
  for (SavedRun& run : baseline.runs) {
    // Whatever the index says.
    run.file = (folder / fs::path(run.file).filename()).string();
  }
  return std::optional(std::move(baseline));
}

}  // namespace batchscope::api
