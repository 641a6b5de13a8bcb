#include "batchscope/findings/tuning.hpp"

#include <fmt/format.h>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/counted.hpp"

namespace batchscope::findings {

std::string_view kept_in_words(const LatencyCheck& check, double budget_ms) {
  if (check.kept) return "met";
  const bool over = check.interval_ms && check.interval_ms->low > budget_ms;
  return over ? "not met" : "not shown to be met";
}

std::string unsupported_words(const LatencyCheck& check) {
  if (!check.settled) {
    return "its visits may still include warm-up, so its latency is not reliable: measure longer "
           "visits";
  }
  if (check.interval_ms && check.supported == check.asked) return "";
  const std::string needs =
      check.samples_needed > 0
          ? fmt::format("at least {} iterations from several visits", check.samples_needed)
          : "several visits";
  const std::string supported =
      check.interval_ms ? fmt::format("are enough for {} only", to_string(check.supported))
                        : "are not enough";
  return fmt::format("{} needs {} that agree; the {} iterations here {}", to_string(check.asked),
                     needs, check.samples, supported);
}

TunedPoint reported_pick(const Tuning& tuning) {
  TunedPoint point = tuning.points[*tuning.pick];
  if (!tuning.fresh) return point;
  point.throughput_per_s = tuning.fresh->throughput_per_s;
  point.time_ms = tuning.fresh->time_ms;
  point.mean_ms = tuning.fresh->mean_ms;
  point.latency_ms = tuning.fresh->latency_ms;
  point.visits = tuning.fresh->visits;
  return point;
}

TunedPoint reported_point(const Tuning& tuning, std::size_t place) {
  return place == tuning.pick ? reported_pick(tuning) : tuning.points[place];
}

std::string reported_by(const Tuning& tuning, const std::vector<std::size_t>& places) {
  const std::string own = "estimated by the search";
  const bool has_pick = tuning.pick && base::contains(places, *tuning.pick);
  if (!tuning.fresh || !has_pick) return own;
  return fmt::format("{}; the recommended point by {}", own,
                     base::counted(tuning.fresh->visits, "separate visit"));
}

std::string latency_title(const Tuning& tuning) {
  return fmt::format("latency ({})", to_string(tuning.latency_of));
}

}  // namespace batchscope::findings
