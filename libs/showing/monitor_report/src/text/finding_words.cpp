#include "text/finding_words.hpp"

#include <cctype>
#include <variant>

namespace batchscope::monitor_report {

std::string gpu_of(const findings::Finding& finding) {
  const auto* moment = std::get_if<findings::GpuMoment>(&finding.where);
  return moment != nullptr ? std::to_string(moment->gpu) : std::string();
}

namespace {

// "GPU 1" is not in "GPU 12".
bool names(const std::string& what, const std::string& gpu) {
  for (auto at = what.find(gpu); at != std::string::npos; at = what.find(gpu, at + 1)) {
    const std::size_t end = at + gpu.size();
    if (end == what.size() || std::isdigit(static_cast<unsigned char>(what[end])) == 0) return true;
  }
  return false;
}

}  // namespace

std::string with_place(const findings::Finding& finding, const std::string& what) {
  // Of several loops it names its own.
  if (!finding.table.empty()) return finding.table + ": " + what;
  const std::string gpu = gpu_of(finding);
  if (gpu.empty() || names(what, "GPU " + gpu)) return what;
  return "GPU " + gpu + ": " + what;
}

std::string_view label_of(findings::Severity severity) {
  switch (severity) {
    case findings::Severity::high:
      return "HIGH";
    case findings::Severity::medium:
      return "MEDIUM";
    case findings::Severity::low:
      return "LOW";
    case findings::Severity::info:
      break;
  }
  return "INFO";
}

}  // namespace batchscope::monitor_report
