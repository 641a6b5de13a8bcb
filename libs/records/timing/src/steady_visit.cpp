#include "batchscope/timing/steady_visit.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "batchscope/schema/visit.hpp"
#include "batchscope/stats/descriptive.hpp"

namespace batchscope::timing {
namespace {

constexpr std::size_t kFewestIterations = 3;

double median_ns(std::span<const int64_t> samples) {
  return stats::median(std::vector<double>(samples.begin(), samples.end()));
}

double mean_ns(std::span<const int64_t> samples) {
  const double sum = std::accumulate(samples.begin(), samples.end(), 0.0);
  return sum / static_cast<double>(samples.size());
}

double of_instances(const SteadyVisit& visit, double (*time_ns)(std::span<const int64_t>)) {
  std::vector<double> times;
  for (const auto samples : visit.series) {
    if (!samples.empty()) times.push_back(time_ns(samples));
  }
  return times.size() == 1 ? times.front() : stats::harmonic_mean(times);
}

// What most visits need, and what this one shows to need beyond that: processes settle by the clock
// after times of their own. Its next iterations are still nearer to the last slow ones of the
// warm-up than to its own last third.
std::size_t still_warm_from(std::span<const int64_t> samples, std::size_t cut,
                            const stats::WarmupNeed& need) {
  constexpr double kMatters = 0.02;  // ln units
  if (need.iterations == 0 || need.last_excess < kMatters) return cut;
  const std::size_t third = std::max<std::size_t>(kFewestIterations, samples.size() / 3);
  if (samples.size() < third) return cut;
  const double limit = median_ns(samples.last(third)) * std::exp(need.last_excess / 2);
  while (cut < samples.size() && static_cast<double>(samples[cut]) > limit) ++cut;
  return cut;
}

// How many timed iterations of an instance count as warm-up.
std::size_t late_warmup(const schema::InstanceTimes& instance, const schema::Visit& visit,
                        const Warmups& warmups) {
  if (instance.samples_ns.empty() || !shows_iterations(visit)) return 0;
  const stats::WarmupNeed& need = warmups.of(visit.config, median_ns(instance.samples_ns));
  const std::size_t late = need.iterations - std::min(need.iterations, instance.warmup_ns.size());
  return still_warm_from(instance.samples_ns, late, need);
}

}  // namespace

SteadyVisit warm(const schema::Visit& visit, const Warmups& warmups) {
  SteadyVisit warm{&visit, {}, false, false};
  for (const schema::InstanceTimes& instance : schema::by_instance(visit)) {
    const std::size_t late = late_warmup(instance, visit, warmups);
    const std::size_t made = instance.samples_ns.size();
    // A run that was made with fewer than three is taken as it is.
    const std::size_t cut = std::min(late, made - std::min(kFewestIterations, made));
    warm.still_warming |= cut < late;
    warm.trimmed |= cut > 0;
    warm.series.push_back(instance.samples_ns.subspan(cut));
  }
  return warm;
}

double typical_ns(const SteadyVisit& visit) {
  return of_instances(visit, median_ns);
}

double late_ns(const SteadyVisit& visit) {
  return of_instances(visit, [](std::span<const int64_t> samples) {
    return median_ns(samples.last((samples.size() + 1) / 2));
  });
}

double mean_ns(const SteadyVisit& visit) {
  return of_instances(visit, mean_ns);
}

int64_t slow_iterations(const SteadyVisit& visit) {
  int64_t slow = 0;
  for (const auto samples : visit.series) {
    if (samples.empty()) continue;
    const double limit = kSlowIteration * median_ns(samples);
    slow += std::count_if(samples.begin(), samples.end(),
                          [&](int64_t each) { return static_cast<double>(each) > limit; });
  }
  return slow;
}

namespace {

bool is_settled(std::span<const SteadyVisit> visits, const Warmups& warmups) {
  const auto is_open = [&](const SteadyVisit& visit) {
    if (visit.still_warming) return true;
    if (!shows_iterations(*visit.visit)) return false;
    const stats::WarmupNeed& need = warmups.of(visit.visit->config, typical_ns(visit));
    return need.iterations > 0 && !need.determined && need.visits >= stats::kFewestToTest;
  };
  return 2 * std::count_if(visits.begin(), visits.end(), is_open) <= std::ssize(visits);
}

void leave_out_warming(WarmVisits& all) {
  const auto is_warming = [](const SteadyVisit& visit) { return visit.still_warming; };
  const auto warming = std::count_if(all.visits.begin(), all.visits.end(), is_warming);
  if (2 * warming > std::ssize(all.visits)) return;
  std::copy_if(all.visits.begin(), all.visits.end(), std::back_inserter(all.excluded), is_warming);
  std::erase_if(all.visits, is_warming);
}

}  // namespace

bool all_settled(std::span<const WarmVisits> visits) {
  return std::all_of(visits.begin(), visits.end(),
                     [](const WarmVisits& each) { return each.settled; });
}

WarmVisits steady_visits(const std::vector<const schema::Visit*>& visits, const Warmups& warmups) {
  WarmVisits all;
  for (const schema::Visit* visit : visits) all.visits.push_back(warm(*visit, warmups));
  leave_out_warming(all);
  all.settled = is_settled(all.visits, warmups);
  return all;
}

}  // namespace batchscope::timing
