#include "text/quantities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include "batchscope/base/units.hpp"

namespace batchscope::monitor_report {
namespace {

// Of what a screen has room for.
constexpr double kMost = 1e15;
constexpr double kLongest = 9e9;  // seconds, of 64-bit nanoseconds

double bounded(double value) {
  return std::isnan(value) ? 0 : std::clamp(value, -kMost, kMost);
}

std::string three(double value) {
  const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f}", value, decimals);
}

struct Moment {
  int64_t days = 0, second_of_day = 0;
};

Moment moment_of(int64_t time_ns) {
  const auto since = std::chrono::floor<std::chrono::seconds>(std::chrono::nanoseconds(time_ns));
  const auto days = std::chrono::floor<std::chrono::days>(since);
  return {days.count(), (since - days).count()};
}

std::string in_day(int64_t second) {
  return fmt::format("{:02}:{:02}:{:02}", second / 3600, second / 60 % 60, second % 60);
}

}  // namespace

std::string percent_of(double ratio) {
  return fmt::format("{:.0f} %", std::clamp(bounded(ratio), -99.0, 99.0) * 100);
}

std::string used_of(int64_t used, int64_t total) {
  constexpr std::array kUnits = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double scale = 1;
  std::size_t unit = 0;
  for (; static_cast<double>(total) / scale >= 1023.5 && unit + 1 < kUnits.size(); ++unit) {
    scale *= 1024;
  }
  const auto part = [&](int64_t bytes) {
    const double size = std::max(0.0, static_cast<double>(bytes) / scale);
    return unit == 0 ? fmt::format("{:.0f}", size) : three(size);
  };
  return fmt::format("{}/{} {}", part(used), part(total), kUnits.at(unit));
}

std::string bytes_per_second(double rate) {
  return base::format_bytes(std::llround(bounded(rate))) + "/s";
}

std::string watts(double power) {
  return fmt::format("{:.0f} W", bounded(power));
}

std::string grouped(int64_t number) {
  std::string text = std::to_string(number);
  const std::size_t sign = text.starts_with('-') ? 1 : 0;
  for (std::size_t at = text.size(); at > sign + 3;) text.insert(at -= 3, ",");
  return text;
}

std::string digits(double value) {
  return fmt::format("{:.4g}", value);
}

std::string rate(double per_second) {
  if (!(per_second >= 1000 && per_second < kMost)) return digits(per_second);
  const double unit = std::pow(10.0, std::floor(std::log10(per_second)) - 3);
  return grouped(std::llround(std::round(per_second / unit) * unit));
}

std::string seconds_between(int64_t from_ns, int64_t to_ns) {
  // Logs hold any times, and their difference may be no 64-bit number.
  return seconds_in_words((static_cast<double>(to_ns) - static_cast<double>(from_ns)) / 1e9);
}

std::string seconds_in_words(double seconds) {
  if (seconds > 0 && seconds < 0.95) return fmt::format("{:.1f} s", seconds);
  if (seconds < 119.5) return fmt::format("{:.0f} s", std::max(0.0, seconds));
  return base::format_duration(std::chrono::seconds(std::llround(std::min(seconds, kLongest))));
}

std::string time_of_day(int64_t time_ns) {
  return in_day(moment_of(time_ns).second_of_day);
}

std::string date_and_time(int64_t time_ns) {
  const Moment moment = moment_of(time_ns);
  const std::chrono::year_month_day date{
      std::chrono::sys_days(std::chrono::days(static_cast<int>(moment.days)))};
  return fmt::format("{:04}-{:02}-{:02}T{}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     in_day(moment.second_of_day));
}

}  // namespace batchscope::monitor_report
