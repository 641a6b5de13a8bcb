#include "reach.hpp"

#include <cmath>
#include <numeric>
#include <vector>

#include "batchscope/schema/visit.hpp"
#include "batchscope/stats/descriptive.hpp"

namespace batchscope::compare {
namespace {

std::optional<findings::Reach> reach_of_side(std::span<const timing::WarmVisits> side) {
  std::vector<double> iterations, seconds;
  for (const timing::WarmVisits& each : side) {
    for (const timing::SteadyVisit& warm : each.visits) {
      const schema::Visit& visit = *warm.visit;
      if (visit.reported_repeats || visit.reported_std_ns) return std::nullopt;
      for (const schema::InstanceTimes& instance : schema::by_instance(visit)) {
        double ns = 0, n = 0;
        for (const auto times : {instance.warmup_ns, instance.samples_ns}) {
          ns += std::accumulate(times.begin(), times.end(), 0.0);
          n += static_cast<double>(times.size());
        }
        const auto in_one = static_cast<double>(visit.iterations_per_sample);
        iterations.push_back(n * in_one);
        seconds.push_back(1e-9 * ns * in_one);
      }
    }
  }
  if (iterations.empty()) return std::nullopt;
  return findings::Reach{std::llround(stats::median(iterations)), stats::median(seconds)};
}

}  // namespace

std::optional<findings::Reach> reach_of(std::span<const timing::WarmVisits> a,
                                        std::span<const timing::WarmVisits> b) {
  const auto of_a = reach_of_side(a), of_b = reach_of_side(b);
  if (!of_a || !of_b) return std::nullopt;
  return of_a->iterations <= of_b->iterations ? of_a : of_b;
}

}  // namespace batchscope::compare
