#include "fresh_contrast.hpp"

#include <fmt/format.h>

#include <cmath>

#include "batchscope/analyze/fresh_gain.hpp"
#include "batchscope/findings/wording.hpp"
#include "batchscope/tables/axes.hpp"
#include "batchscope/timing/contrasted.hpp"
#include "batchscope/timing/evidence.hpp"
#include "batchscope/timing/paired.hpp"
#include "batchscope/timing/slow_iterations.hpp"
#include "search/observe.hpp"

namespace batchscope::tune {
namespace {

constexpr double kLevel = 0.95;

timing::ContrastedVisits fresh_visits(const schema::RunFile& run, const SearchOutcome& outcome,
                                      std::size_t other, const timing::Warmups& warmups) {
  return timing::contrasted_visits(run, run.configs[*outcome.pick], run.configs[other],
                                   timing::Use::fresh, warmups);
}

}  // namespace

bool are_warming(const schema::RunFile& run, const SearchOutcome& outcome, std::size_t other,
                 const timing::Warmups& warmups) {
  return timing::are_warming(fresh_visits(run, outcome, other, warmups));
}

std::optional<findings::FreshContrast> contrast(const schema::RunFile& run,
                                                const SearchOutcome& outcome, std::size_t other,
                                                const timing::Warmups& warmups, std::string what) {
  const std::size_t pick = *outcome.pick;
  const auto work = [&](std::size_t point) {
    if (outcome.goal.objective == Objective::latency) return 0.0;
    return std::log(static_cast<double>(schema::samples_at_once(outcome.grid[point])));
  };
  const auto [mine, theirs, settled] = fresh_visits(run, outcome, other, warmups);
  const timing::TimeOfVisit time = time_of(outcome.goal.objective.value());
  std::vector<double> logs =
      timing::paired(timing::logs_by_block(theirs, time), timing::logs_by_block(mine, time));
  for (double& each : logs) each += work(pick) - work(other);
  if (logs.size() < timing::kPairsToProve || !settled) return std::nullopt;
  timing::Unseen unseen;
  if (outcome.goal.objective != Objective::latency) {
    const timing::SlowIterations slow(run);
    unseen = timing::unseen_of_ratio(slow.unseen_by(run.configs[other], theirs.visits),
                                     slow.unseen_by(run.configs[pick], mine.visits));
  }
  const analyze::FreshGain gain = analyze::fresh_gain(logs, unseen, kLevel);
  return findings::FreshContrast{outcome.grid[other], std::move(what), gain.student,
                                 static_cast<int>(logs.size()), gain.trimmed};
}

double surest(const findings::FreshContrast& contrast) {
  return analyze::FreshGain{contrast.gain, contrast.trimmed}.surest();
}
double largest(const findings::FreshContrast& contrast) {
  return analyze::FreshGain{contrast.gain, contrast.trimmed}.largest();
}

std::string contrast_words(const findings::FreshContrast& contrast, const SearchOutcome& outcome,
                           double practical) {
  const findings::Estimate& gain = contrast.gain;
  const bool more = gain.value >= 0;
  const bool by_latency = outcome.goal.objective == Objective::latency;
  const char* const unit = by_latency ? "batches per second" : "throughput";
  const std::string against = tables::what_differs(contrast.against, outcome.grid);
  if (gain.value >= 1) {
    return fmt::format("{:.3g}x the {} of {} ({}; 95 % CI {:.3g}x to {:.3g}x)", 1 + gain.value,
                       unit, contrast.what, against, 1 + gain.ci->low, 1 + gain.ci->high);
  }
  const bool matters = gain.ci->high >= practical || gain.ci->low <= -practical;
  return fmt::format("{} {} {} than {} ({}; 95 % CI {}{})", findings::percent(std::abs(gain.value)),
                     more ? "more" : "less", unit, contrast.what, against,
                     findings::percent_range(*gain.ci), matters ? "" : ", too small to matter");
}

}  // namespace batchscope::tune
