#include "batchscope/findings/tuning.hpp"

#include <fmt/format.h>

namespace batchscope::findings {

std::string_view kept_in_words(const LatencyCheck& check, double budget_ms) {
  if (check.kept) return "met";
  const bool over = check.interval_ms && check.interval_ms->low > budget_ms;
  return over ? "not met" : "not shown to be met";
}

std::string unvouched_words(const LatencyCheck& check) {
  if (!check.settled) {
    return "its visits may still hold warm-up, so that they vouch for no latency: longer ones "
           "would "
           "tell";
  }
  if (check.interval_ms && check.vouched == check.asked) return "";
  const std::string needs =
      check.samples_needed > 0
          ? fmt::format("at least {} iterations, of several visits", check.samples_needed)
          : "several visits";
  const std::string vouched = check.interval_ms
                                  ? fmt::format("vouch for {} only", to_string(check.vouched))
                                  : "are not enough";
  return fmt::format("{} needs {} that agree; the {} iterations here {}", to_string(check.asked),
                     needs, check.samples, vouched);
}

TunedPoint told_pick(const Tuning& tuning) {
  TunedPoint point = tuning.points[*tuning.pick];
  if (!tuning.fresh) return point;
  point.throughput_per_s = tuning.fresh->throughput_per_s;
  point.time_ms = tuning.fresh->time_ms;
  point.mean_ms = tuning.fresh->mean_ms;
  point.latency_ms = tuning.fresh->latency_ms;
  return point;
}

std::string latency_title(const Tuning& tuning) {
  return fmt::format("latency ({})", to_string(tuning.latency_of));
}

}  // namespace batchscope::findings
