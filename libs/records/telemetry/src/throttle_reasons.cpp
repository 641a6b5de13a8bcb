#include "batchscope/telemetry/throttle_reasons.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace batchscope::telemetry {

std::string throttle_reason_in_words(std::string_view reason) {
  using Named = std::pair<std::string_view, std::string_view>;
  constexpr std::array kWords{Named{"power_cap", "the power limit"},
                              Named{"thermal", "heat"},
                              Named{"hardware_slowdown", "the hardware"},
                              Named{"power_brake", "an external power brake"},
                              Named{"sync_boost", "the clock of another GPU (sync boost)"},
                              Named{"board_limit", "a limit of the board"},
                              Named{"reliability", "the voltage limit"}};
  const auto known = std::ranges::find(kWords, reason, &Named::first);
  return std::string(known == kWords.end() ? reason : known->second);
}

}  // namespace batchscope::telemetry
