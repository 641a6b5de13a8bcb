#include "batchscope/trace/cycles.hpp"

#include <string_view>

namespace batchscope::trace {
namespace {

namespace fs = std::filesystem;

// Takes it off; false where it does not end so.
bool take_suffix(std::string& name, std::string_view suffix) {
  if (!name.ends_with(suffix) || name.size() == suffix.size()) return false;
  name.resize(name.size() - suffix.size());
  return true;
}

// "host_1.1700000000" -> "1700000000", which is taken off.
std::string take_span(std::string& name) {
  const size_t dot = name.rfind('.');
  const bool is_number = dot != std::string::npos && dot + 1 < name.size() && dot > 0 &&
                         name.find_first_not_of("0123456789", dot + 1) == std::string::npos;
  if (!is_number) return "";
  std::string span = name.substr(dot + 1);
  name.resize(dot);
  return span;
}

}  // namespace

Worker worker_of(const fs::path& file) {
  std::string name = file.filename().string();
  for (const std::string_view packing : {".gz", ".zst"}) {
    if (take_suffix(name, packing)) break;
  }
  const fs::path folder = file.parent_path();
  if (take_suffix(name, ".pt.trace.json")) {
    std::string span = take_span(name);
    return {(folder / name).string(), std::move(span)};
  }
  const fs::path above = folder.parent_path();
  if (take_suffix(name, ".trace.json") && above.filename() == "profile") {
    return {(above / name).string(), folder.filename().string()};
  }
  return {};
}

}  // namespace batchscope::trace
