#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "advice/longer_visits.hpp"
#include "batchscope/findings/floors.hpp"
#include "batchscope/findings/wording.hpp"
#include "warnings.hpp"

namespace batchscope::analyze {
namespace {

using tables::ConfigData;

// "at batches 4 and 8 the mean may be up to 170 % longer than shown"
std::string of_table(const tables::GroupData& group, const std::string& model) {
  std::vector<int64_t> sizes;
  double most = 0;
  for (const ConfigData& config : group.configs) {
    if (config.config.model != model || config.unseen.longer < findings::kMeanWorthShowing)
      continue;
    sizes.push_back(config.batch_size());
    most = std::max(most, std::expm1(config.unseen.longer));
  }
  if (sizes.empty()) return "";
  return fmt::format("In {}, the mean at {} may be up to {} longer than shown",
                     findings::label(group.key), findings::batches(sizes), findings::percent(most));
}

}  // namespace

std::vector<std::string> slow_iteration_warnings(const tables::RunView& view) {
  std::vector<std::string> warnings;
  for (const timing::SlowOfModel& slow : view.slow.models()) {
    std::string tables;
    for (const tables::GroupData& group : view.groups) {
      const std::string words = of_table(group, slow.model);
      if (!words.empty()) tables += (tables.empty() ? "" : "; ") + words;
    }
    if (tables.empty()) continue;
    warnings.push_back(fmt::format(
        "{}: {}one of {:.0f} iterations takes {:.3g} times as long, and the visits are too short "
        "for several of these. {}. Measure longer visits (--min-visit-time {}s).",
        slow.model, slow.in_phase ? "" : "about ", std::max(slow.every, 2.0), slow.times_as_long,
        tables, longer_visit_s(view)));
  }
  return warnings;
}

}  // namespace batchscope::analyze
