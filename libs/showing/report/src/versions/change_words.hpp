#pragma once

#include <string>

#include "batchscope/findings/finding.hpp"
#include "batchscope/findings/numbers.hpp"
#include "batchscope/findings/wording.hpp"

namespace batchscope::report {

// 0.034 -> "+3.4 %": a change reads as one.
inline std::string changed_by(double more) {
  return (more > 0 ? "+" : "") + findings::percent(more);
}

// A ratio of times as the change that it is: "+10 %", "+9.1 % to +12 %".
inline findings::Shown show_change(const findings::Estimate& ratio) {
  const auto change = [](double value) { return changed_by(value - 1); };
  if (!ratio.ci) return {change(ratio.value), ""};
  return {change(ratio.value), "[" + change(ratio.ci->low) + ", " + change(ratio.ci->high) + "]"};
}

}  // namespace batchscope::report
