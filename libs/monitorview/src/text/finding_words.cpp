#include "text/finding_words.hpp"

#include <variant>

#include "batchscope/base/strings.hpp"

namespace batchscope::monitorview {

std::string gpu_of(const findings::Finding& finding) {
  const auto* moment = std::get_if<findings::GpuMoment>(&finding.where);
  return moment != nullptr ? std::to_string(moment->gpu) : std::string();
}

std::string with_place(const findings::Finding& finding, const std::string& what) {
  const std::string gpu = gpu_of(finding);
  if (gpu.empty() || base::contains_text(what, "GPU " + gpu)) return what;
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

}  // namespace batchscope::monitorview
