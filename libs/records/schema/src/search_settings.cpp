#include "batchscope/schema/search_settings.hpp"

#include <fmt/format.h>

#include <array>
#include <string>

#include "batchscope/base/enum_names.hpp"

namespace batchscope::schema {
namespace {

using base::Name;
using base::name_of;

constexpr std::array kObjectives = {Name<Objective>{Objective::throughput, "throughput"},
                                    Name<Objective>{Objective::latency, "latency"},
                                    Name<Objective>{Objective::cost, "cost"}};

using StatisticNames = std::array<std::string, static_cast<std::size_t>(LatencyStatistic::other)>;

StatisticNames statistic_names() {
  StatisticNames names;
  names[0] = "mean";
  for (std::size_t tenths = 1; tenths < names.size(); ++tenths) {
    names[tenths] = fmt::format("p{:g}", static_cast<double>(tenths) / 10);
  }
  return names;
}

}  // namespace

std::string_view to_string(Objective objective) {
  return name_of(kObjectives, objective);
}
std::string_view to_string(LatencyStatistic statistic) {
  static const StatisticNames kNames = statistic_names();
  const auto tenths = static_cast<std::size_t>(statistic);
  return tenths < kNames.size() ? std::string_view(kNames[tenths]) : "?";
}

base::Result<LatencyStatistic> parse_latency_statistic(std::string_view text) {
  const OpenEnum<LatencyStatistic> statistic(text);
  if (statistic.value() != LatencyStatistic::other) return statistic.value();
  return base::Error{base::ErrorKind::usage,
                     std::string("'").append(text).append("' is not a statistic of a latency"),
                     "--latency-quantile", "use mean, or a percentile: p50, p95, p99.9"};
}

std::optional<double> probability_of(LatencyStatistic statistic) {
  if (statistic == LatencyStatistic::mean) return std::nullopt;
  return static_cast<double>(statistic) / static_cast<double>(LatencyStatistic::other);
}

}  // namespace batchscope::schema
