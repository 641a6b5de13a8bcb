#include <array>

#include "batchscope/base/strings.hpp"
#include "rules.hpp"

namespace batchscope::advice {
namespace {

bool is_of_another_framework(const TraceFacts& facts) {
  return facts.trace.read.profiler.starts_with("XLA");
}

bool speaks_of_torch(std::string_view fix) {
  constexpr std::array<std::string_view, 7> kWords{"torch",   "DataLoader", "DDP", "non_blocking",
                                                   ".item()", "profile(",   "bf16"};
  return base::contains_any_text(fix, kWords);
}

}  // namespace

void say_without_torch(const TraceFacts& facts, Findings& found) {
  if (!is_of_another_framework(facts)) return;
  for (findings::Finding& finding : found) {
    const Kind* const kind = find_kind(finding);
    if (kind == nullptr || kind->without_torch.empty()) continue;
    if (speaks_of_torch(finding.fix)) finding.fix = kind->without_torch;
  }
}

}  // namespace batchscope::advice
