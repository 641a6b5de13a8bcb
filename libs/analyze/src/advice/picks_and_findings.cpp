#include "picks_and_findings.hpp"

#include <fmt/format.h>

#include "batchscope/findings/catalogue.hpp"

namespace batchscope::analyze {
namespace {

bool says_to_avoid(const findings::Finding& finding) {
  return finding.id == findings::kDeparture && finding.fix.starts_with("Avoid");
}

}  // namespace

void reconcile(const std::vector<findings::Recommendation>& picks,
               std::vector<findings::Finding>& findings) {
  for (const findings::Recommendation& pick : picks) {
    for (findings::Finding& finding : findings) {
      const schema::RunConfig* const where = config_of(finding.where);
      const bool about_it = where != nullptr && *where == pick.config;
      if (!about_it || !says_to_avoid(finding) || pick.withdrawn) continue;
      finding.fix = fmt::format(
          "Batch {} is still recommended: no other permitted choice is shown to be faster. Without "
          "the cause of its slowdown it would be faster still; compare its page faults, memory and "
          "phases with its neighbours'.",
          pick.config.shape.batch_size);
    }
  }
}

}  // namespace batchscope::analyze
