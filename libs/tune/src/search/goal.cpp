#include "batchscope/tune/goal.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace batchscope::tune {
namespace {

constexpr std::array<std::pair<LatencyStatistic, std::string_view>, 4> kStatistics{{
    {LatencyStatistic::mean, "mean"},
    {LatencyStatistic::p50, "p50"},
    {LatencyStatistic::p90, "p90"},
    {LatencyStatistic::p99, "p99"},
}};

}  // namespace

std::string_view to_string(LatencyStatistic statistic) {
  for (const auto& [value, name] : kStatistics) {
    if (value == statistic) return name;
  }
  return "";
}

base::Result<LatencyStatistic> parse_latency_statistic(std::string_view text) {
  for (const auto& [value, name] : kStatistics) {
    if (name == text) return value;
  }
  return base::Error{base::ErrorKind::usage, fmt::format("'{}' is no statistic of a latency", text),
                     base::Subject::latency_quantile, "choose mean, p50, p90 or p99"};
}

std::optional<double> probability_of(LatencyStatistic statistic) {
  if (statistic == LatencyStatistic::mean) return std::nullopt;
  if (statistic == LatencyStatistic::p50) return 0.5;
  return statistic == LatencyStatistic::p90 ? 0.9 : 0.99;
}

double cost_of_a_million(double price_per_hour, double rate) {
  constexpr double kSecondsAnHour = 3600, kMillion = 1e6;
  return price_per_hour / kSecondsAnHour / rate * kMillion;
}

}  // namespace batchscope::tune
