#include "bisection.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace batchscope::tune {
namespace {

constexpr std::size_t kMostOfLaw = 4;  // sizes that the law before a step is fitted to
constexpr std::size_t kFewestOfLaw = 2;
constexpr double kLeastJump = 0.02;  // ln units, beside the noise
constexpr double kNoises = 2.0;

std::optional<stats::Law> law_before(const Knowledge& known,
                                     const std::vector<std::size_t>& measured, std::size_t end) {
  if (end < kFewestOfLaw) return std::nullopt;
  std::vector<double> sizes, times;
  for (std::size_t i = end - std::min(end, kMostOfLaw); i < end; ++i) {
    sizes.push_back(known.batch_size(measured[i]));
    times.push_back(std::exp(known.log_time(measured[i]) - known.log_batches(measured[i])));
  }
  return stats::fit_law(stats::LawKind::affine, sizes, times);
}

// Between two neighbors among the measured sizes of a lane.
struct Bracket {
  std::size_t before, after;
  stats::Law law;  // of one batch
  double jump;
};

void look_into(const Knowledge& known, const Acquisition& acquisition, const Bracket& bracket,
               std::optional<Bisection>& best) {
  const double low = std::log(known.batch_size(bracket.before));
  const double high = std::log(known.batch_size(bracket.after));
  for (const std::size_t point : known.lanes()[known.lane_of(bracket.before)].points) {
    const double at = std::log(known.batch_size(point));
    if (at <= low || at >= high || !known.is_open(point)) continue;
    const double log_time =
        known.log_batches(point) + std::log(bracket.law.evaluate(known.batch_size(point)));
    const double cost = known.cost(point, log_time);
    const double better = acquisition.cost(*acquisition.best()) - cost;
    const double chance = (high - at) / (high - low) * acquisition.chance_of_bounds(point);
    const double gain = chance * better;
    if (gain <= 0 || (best && gain <= best->gain)) continue;
    best = Bisection{point, bracket.before, bracket.after, bracket.jump, gain};
  }
}

}  // namespace

std::optional<Bisection> best_bisection(const Knowledge& known, const Acquisition& acquisition) {
  std::optional<Bisection> best;
  if (!acquisition.best()) return best;
  for (const Lane& lane : known.lanes()) {
    std::vector<std::size_t> measured;
    std::copy_if(lane.points.begin(), lane.points.end(), std::back_inserter(measured),
                 [&](std::size_t point) { return !known.facts(point).log_times.empty(); });
    for (std::size_t next = 1; next < measured.size(); ++next) {
      const auto law = law_before(known, measured, next);
      if (!law) continue;
      const double expected = known.log_batches(measured[next]) +
                              std::log(law->evaluate(known.batch_size(measured[next])));
      const double jump = known.log_time(measured[next]) - expected;
      if (jump < kLeastJump + kNoises * known.noise()) continue;
      look_into(known, acquisition, {measured[next - 1], measured[next], *law, jump}, best);
    }
  }
  return best;
}

}  // namespace batchscope::tune
