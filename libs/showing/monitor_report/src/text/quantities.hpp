#pragma once

#include <cstdint>
#include <string>

namespace batchscope::monitor_report {

// Short, for narrow columns.
std::string percent_of(double ratio);                         // "98 %"
std::string used_of(int64_t used, int64_t total);             // "71.2/79.6 GiB"
std::string bytes_per_second(double rate);                    // "120 MiB/s"
std::string watts(double power);                              // "412 W"
std::string grouped(int64_t number);                          // "12,345"
std::string rate(double per_second);                          // "511,400", "12.34": four of them
std::string digits(double value);                             // "2.314", "1.2e-05": four of them
std::string seconds_between(int64_t from_ns, int64_t to_ns);  // "3 min 20 s"
std::string seconds_in_words(double seconds);                 // the same
// "14:03:21", UTC.
std::string time_of_day(int64_t time_ns);
// "2026-10-01T14:03:21Z"
std::string date_and_time(int64_t time_ns);

}  // namespace batchscope::monitor_report
