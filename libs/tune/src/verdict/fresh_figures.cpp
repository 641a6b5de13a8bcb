#include "fresh_figures.hpp"

#include "batchscope/stats/descriptive.hpp"
#include "batchscope/timing/visits.hpp"
#include "search/observe.hpp"

namespace batchscope::tune {

std::optional<Figures> fresh_figures(const schema::RunFile& run, std::size_t point,
                                     const Goal& goal, const timing::Warmups& warmups) {
  const timing::WarmVisits visits =
      timing::visits_of(run, run.configs[point], timing::Use::fresh, warmups);
  if (visits.visits.empty()) return std::nullopt;
  const auto seconds = [&](timing::TimeOfVisit time) {
    return timing::over_visits(timing::logs_of(visits.visits, time)).value * kSecondsANanosecond;
  };
  Figures made;
  made.mean_s = seconds(timing::mean_ns);
  made.typical_s = seconds(timing::typical_ns);
  std::vector<double> iterations;
  for (const timing::WarmVisit& visit : visits.visits) {
    const std::vector<double> its = warm_seconds(visit);
    iterations.insert(iterations.end(), its.begin(), its.end());
  }
  const auto probability = probability_of(goal.latency_of);
  made.latency_s =
      probability ? stats::quantile(iterations, *probability) : stats::mean(iterations);
  made.rate = static_cast<double>(schema::samples_at_once(run.configs[point])) / made.mean_s;
  made.fresh_visits = static_cast<int>(visits.visits.size());
  return made;
}

}  // namespace batchscope::tune
