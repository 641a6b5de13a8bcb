#include "tables/words.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "batchscope/base/units.hpp"
#include "batchscope/findings/numbers.hpp"
#include "text/quantities.hpp"

namespace batchscope::monitor_report {
namespace {

constexpr int64_t kSecond = 1'000'000'000, kHour = 3600 * kSecond;

}  // namespace

std::string utc(int64_t time_ns) {
  return fmt::format("{:%Y-%m-%d %H:%M:%S} UTC", fmt::gmtime(time_ns / kSecond));
}

std::string lasting(int64_t ns) {
  if (ns == 0) return "a moment";
  if (ns < 48 * kHour) return base::format_duration(base::Nanoseconds(ns));
  const int64_t hours = (ns + kHour / 2) / kHour;
  return fmt::format("{} d {} h", hours / 24, hours % 24);
}

std::string counted(size_t count, const char* one, const char* many) {
  return grouped(static_cast<int64_t>(count)) + " " + (count == 1 ? one : many);
}

ActiveTime active_time_of(const watch::ActiveFinding& active, const RecordedSeries& recorded) {
  const auto within = [&](int64_t time_ns) {
    return std::clamp(time_ns, recorded.start_ns, recorded.end_ns);
  };
  const int64_t from = within(active.since_ns);
  const int64_t to = std::max(from, within(active.ended_ns.value_or(recorded.end_ns)));
  const auto full = static_cast<double>(to - from);
  const double was_active = std::clamp(full - active.gaps_seconds * 1e9, 0.0, full);
  return {from, to, !active.ended_ns, active.times, std::llround(was_active)};
}

std::vector<ActiveTime> active_times_of(const watch::ActiveFinding& active,
                                        const RecordedSeries& recorded) {
  std::vector<ActiveTime> spans;
  watch::ActiveFinding once = active;
  once.times = 1;
  once.gaps_seconds = 0;
  for (const watch::Episode& episode : active.episodes) {
    once.since_ns = episode.since_ns;
    once.ended_ns = episode.ended_ns;
    spans.push_back(active_time_of(once, recorded));
  }
  return spans.empty() ? std::vector{active_time_of(active, recorded)} : spans;
}

std::string when_words(const ActiveTime& span) {
  if (span.times > 1) {
    return fmt::format("{} times since {}, {} in total; {}", grouped(span.times), utc(span.from_ns),
                       lasting(span.active_ns),
                       span.is_active ? "still active at the end of the log" : "over now");
  }
  if (span.is_active) {
    return fmt::format("since {}, for {}, still active at the end of the log", utc(span.from_ns),
                       lasting(span.to_ns - span.from_ns));
  }
  return fmt::format("from {} for {}", utc(span.from_ns), lasting(span.to_ns - span.from_ns));
}

std::string energy_words(double joules) {
  constexpr double kWattHour = 3600;
  if (joules < kWattHour) return findings::brief(joules) + " J";
  if (joules < 1e3 * kWattHour) return findings::brief(joules / kWattHour) + " Wh";
  return findings::brief(joules / (1e3 * kWattHour)) + " kWh";
}

std::string value_words(double value, const Chart& chart) {
  const bool small = std::abs(value) < 1 && chart.unit.empty();
  const std::string text = small ? fmt::format("{:.3g}", value) : findings::brief(value);
  return chart.unit.empty() ? text : text + " " + chart.unit;
}

}  // namespace batchscope::monitor_report
