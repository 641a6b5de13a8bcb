#pragma once

#include <string>
#include <utility>

#include "batchscope/findings/finding.hpp"
#include "batchscope/findings/wording.hpp"
#include "document/document.hpp"
#include "document/numbers.hpp"

namespace batchscope::report {

inline Cell cell_of(std::string value) {
  return {std::move(value), "", Tone::plain};
}

// 0.034 -> "+3.4 %": a change reads as one.
inline std::string signed_percent(double more) {
  return (more > 0 ? "+" : "") + findings::percent(more);
}

// A ratio of times as the change that it is: "+10 %", "+9.1 % to +12 %".
inline Shown show_change(const findings::Estimate& ratio) {
  Shown shown{signed_percent(ratio.value - 1), ""};
  if (!ratio.ci) return shown;
  shown.interval =
      "[" + signed_percent(ratio.ci->low - 1) + ", " + signed_percent(ratio.ci->high - 1) + "]";
  return shown;
}

}  // namespace batchscope::report
