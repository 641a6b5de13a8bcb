#include "batchscope/planning/arrivals.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

// Arrivals as typed, and files of them: either is understood, or refused with a reason; what is
// understood can be planned with.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  namespace planning = batchscope::planning;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (!text.starts_with("file:")) static_cast<void>(planning::parse_arrivals(text));
  const auto recorded = planning::parse_recorded(text, "fuzz");
  if (!recorded) return 0;
  if (!std::isfinite(recorded->rate_per_s()) || recorded->rate_per_s() <= 0) __builtin_trap();
  const auto& tokens = recorded->tokens;
  if (!tokens.empty() && tokens.size() != recorded->times_s.size()) __builtin_trap();
  planning::ArrivalProcess process;
  process.law = *recorded;
  double before = 0;
  for (const auto& each : planning::draw_arrivals(process, 10, 100, {}, 1)) {
    if (!std::isfinite(each.time_s) || each.time_s < before || each.tokens < 1) __builtin_trap();
    before = each.time_s;
  }
  return 0;
}
