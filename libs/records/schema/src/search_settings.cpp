#include "batchscope/schema/search_settings.hpp"

#include <array>

#include "batchscope/base/enum_names.hpp"

namespace batchscope::schema {
namespace {

using base::Name;
using base::name_of;

constexpr std::array kObjectives = {Name<Objective>{Objective::throughput, "throughput"},
                                    Name<Objective>{Objective::latency, "latency"},
                                    Name<Objective>{Objective::cost, "cost"}};
constexpr std::array kStatistics = {Name<LatencyStatistic>{LatencyStatistic::mean, "mean"},
                                    Name<LatencyStatistic>{LatencyStatistic::p50, "p50"},
                                    Name<LatencyStatistic>{LatencyStatistic::p90, "p90"},
                                    Name<LatencyStatistic>{LatencyStatistic::p99, "p99"}};

}  // namespace

std::string_view to_string(Objective objective) {
  return name_of(kObjectives, objective);
}
std::string_view to_string(LatencyStatistic statistic) {
  return name_of(kStatistics, statistic);
}

base::Result<LatencyStatistic> parse_latency_statistic(std::string_view text) {
  const OpenEnum<LatencyStatistic> statistic(text);
  if (statistic.value() != LatencyStatistic::other) return statistic.value();
  return base::Error{base::ErrorKind::usage,
                     std::string("'").append(text).append("' is not a statistic of a latency"),
                     "--latency-quantile", "choose mean, p50, p90 or p99"};
}

}  // namespace batchscope::schema
