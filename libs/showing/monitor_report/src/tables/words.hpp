#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "batchscope/monitor_report/monitor_page.hpp"
#include "charts/chart.hpp"
#include "series/recorded.hpp"

namespace batchscope::monitor_report {

// "2026-10-01 12:00:03 UTC".
std::string utc(int64_t time_ns);
// "14 min 3 s", "7 d 2 h".
std::string lasting(int64_t ns);
// "1 GPU", "20,000 steps".
std::string counted(size_t count, const char* one, const char* many);

// A standing, or once of it, within the recording.
struct ActiveTime {
  int64_t from_ns = 0, to_ns = 0;
  bool is_active = false;  // still, when the recording ends
  int64_t times = 1;
  int64_t active_ns = 0;  // of all these times
};
ActiveTime active_time_of(const watch::ActiveFinding& active, const RecordedSeries& recorded);
// Each time that it stood.
std::vector<ActiveTime> active_times_of(const watch::ActiveFinding& active,
                                        const RecordedSeries& recorded);
// "since 2026-10-01 12:00:03 UTC, for 14 min 3 s, and still so when the log ends".
std::string when_words(const ActiveTime& span);

// "12.3 kWh", "840 J".
std::string energy_words(double joules);
// "98.2 %", "0.312": with the unit of the chart.
std::string value_words(double value, const Chart& chart);

}  // namespace batchscope::monitor_report
