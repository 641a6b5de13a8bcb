#pragma once

#include <array>
#include <vector>

#include "rule_context.hpp"

namespace batchscope::watch {

// The kinds of one subject, and what looks for them; none: rules of another subject do.
struct Rules {
  void (*look)(const RuleContext&, RuleHits&) = nullptr;
  std::vector<const Kind*> kinds;
};

Rules fault_rules();
Rules clock_rules();
Rules link_rules();
Rules stall_rules();
Rules straggler_rules();
Rules low_use_rules();
Rules use_rules();
Rules busy_rules();
Rules memory_rules();
Rules leak_rules();
Rules host_rules();

// In the order in which they look, and in which a reader is told of them.
inline constexpr std::array kAllRules{fault_rules,     clock_rules,   link_rules, stall_rules,
                                      straggler_rules, low_use_rules, use_rules,  busy_rules,
                                      memory_rules,    leak_rules,    host_rules};

// A training that stands still while its GPU spins. True: it is so, or may be, and is all that is
// said of the use of this GPU.
bool stall_rule(const GpuState& gpu, const RuleContext& facts, RuleHits& into);
// What a GPU does that is busy enough.
void busy_rule(const GpuState& gpu, const RuleContext& facts, RuleHits& into);
// The kind of low use that stood then; empty: none.
std::string_view low_use_at(const GpuState& gpu, int64_t time_ns, const FindingTracker& tracker);

}  // namespace batchscope::watch
