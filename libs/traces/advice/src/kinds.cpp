#include <algorithm>

#include "batchscope/advice/trace_summary.hpp"
#include "batchscope/base/algorithms.hpp"
#include "rules/rules.hpp"

namespace batchscope::advice {
namespace {

std::vector<const Kind*> all_kinds() {
  std::vector<const Kind*> all;
  for (const auto kinds : kAllKinds) {
    for (const Kind* const each : kinds()) all.push_back(each);
  }
  return all;
}

}  // namespace

const Kind* find_kind(const findings::Finding& finding) {
  const auto all = all_kinds();
  const auto found = std::ranges::find(all, finding.id, [](const Kind* each) { return each->id; });
  return found == all.end() ? nullptr : *found;
}

const findings::Catalogue& kinds() {
  static const findings::Catalogue kKinds =
      base::mapped(all_kinds(), [](const Kind* each) { return each->kind(); });
  return kKinds;
}

}  // namespace batchscope::advice
