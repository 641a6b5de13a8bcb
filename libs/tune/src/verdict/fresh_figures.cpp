#include "fresh_figures.hpp"

#include <cmath>

#include "batchscope/stats/descriptive.hpp"
#include "batchscope/timing/warmups.hpp"
#include "search/observe.hpp"

namespace batchscope::tune {
namespace {

constexpr double kSecondsANanosecond = 1e-9;

// Of each fresh visit, s; and all their iterations.
struct FreshTimes {
  std::vector<double> means, log_typical, iterations;
};

FreshTimes times_of(const schema::RunFile& run, std::size_t point) {
  FreshTimes times;
  const timing::Warmups warmups = timing::warmups_so_far(run);
  for (const schema::Visit& visit : run.visits) {
    const bool mine = visit.config == static_cast<int>(point) && !visit.samples_ns.empty();
    if (!mine || visit.purpose != schema::Purpose::verify) continue;
    const timing::WarmVisit warm = timing::warm(visit, warmups);
    times.means.push_back(timing::mean_ns(warm) * kSecondsANanosecond);
    times.log_typical.push_back(std::log(timing::typical_ns(warm) * kSecondsANanosecond));
    const std::vector<double> seconds = warm_seconds(warm);
    times.iterations.insert(times.iterations.end(), seconds.begin(), seconds.end());
  }
  return times;
}

}  // namespace

std::optional<Figures> fresh_figures(const schema::RunFile& run, std::size_t point,
                                     const Goal& goal) {
  const FreshTimes times = times_of(run, point);
  if (times.means.empty()) return std::nullopt;
  Figures made;
  made.time_s = stats::mean(times.means);
  made.typical_s = std::exp(stats::mean(times.log_typical));
  const auto probability = probability_of(goal.latency_of);
  made.latency_s =
      probability ? stats::quantile(times.iterations, *probability) : stats::mean(times.iterations);
  made.rate = static_cast<double>(schema::samples_at_once(run.configs[point])) / made.time_s;
  made.fresh_visits = static_cast<int>(times.means.size());
  return made;
}

}  // namespace batchscope::tune
