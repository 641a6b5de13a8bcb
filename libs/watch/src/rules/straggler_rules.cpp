#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "batchscope/findings/monitor_metrics.hpp"
#include "batchscope/findings/wording.hpp"
#include "batchscope/stats/descriptive.hpp"
#include "facts.hpp"
#include "standing/kinds.hpp"

namespace batchscope::watch {
namespace {

using findings::evidence_of;
using findings::percent;
namespace metric = findings::metric;

using Group = std::vector<const GpuState*>;

// GPUs of one name that are at work. That they work together nobody says: it is assumed of one
// training, or of what is watched.
Group group_of(const GpuState& like, const Facts& facts) {
  constexpr double kAtWork = 0.2;
  Group group;
  for (const GpuState& gpu : facts.window.gpus()) {
    if (!is_judged(gpu) || gpu.name != like.name || !may_be_of_the_job(gpu, facts)) continue;
    if (gpu.recent.over(GpuValue::busy).mean() >= kAtWork) group.push_back(&gpu);
  }
  return group;
}

struct Departure {
  double value = 0;
  double median = 0;
  double score = 0;  // from the median, in robust standard deviations
};

// `floor`: the least standard deviation that is believed.
std::optional<Departure> departure(const GpuState& gpu, const Group& group, GpuValue value,
                                   double floor) {
  std::vector<double> means;
  for (const GpuState* each : group) {
    const Cell cell = each->recent.over(value);
    if (cell.known()) means.push_back(cell.mean());
  }
  const Cell own = gpu.recent.over(value);
  constexpr std::size_t kFewestForAMedian = 3;
  if (!own.known() || means.size() < kFewestForAMedian) return std::nullopt;
  const double median = stats::median(means);
  const double spread = std::max(floor, stats::robust_std(means));
  return Departure{own.mean(), median, (own.mean() - median) / spread};
}

constexpr double kStandsOut = 4;

struct Found {
  std::string what;  // "its clock is 12 % below that of the others"
  double against = 1;
  double size = 0;  // of the departure
};

std::optional<Found> by_clock(const GpuState& gpu, const Group& group, const Facts& facts) {
  const auto clock = departure(gpu, group, GpuValue::clock_share, 0.01);
  if (!clock || clock->score > -kStandsOut || clock->median <= 0) return std::nullopt;
  const double below = 1 - clock->value / clock->median;
  if (below < facts.over(facts.targets.straggler_clock, kind::kStraggler, gpu.key)) {
    return std::nullopt;
  }
  return Found{fmt::format("its clock is {} below that of the others", percent(below)), 1 - below,
               below};
}

std::optional<Found> by_busy(const GpuState& gpu, const Group& group, const Facts& facts) {
  const auto busy = departure(gpu, group, GpuValue::busy, 0.03);
  if (!busy || std::abs(busy->score) < kStandsOut) return std::nullopt;
  const double apart = std::abs(busy->value - busy->median);
  if (apart < facts.over(facts.targets.straggler_busy, kind::kStraggler, gpu.key)) {
    return std::nullopt;
  }
  return Found{fmt::format("it is busy for {} of the time, the others for {}", percent(busy->value),
                           percent(busy->median)),
               busy->value - busy->median, apart};
}

// A GPU that waits in a collective counts as busy, and draws less.
std::optional<Found> by_power(const GpuState& gpu, const Group& group, const Facts& facts) {
  constexpr double kApart = 0.25;
  const auto power = departure(gpu, group, GpuValue::power_share, 0.04);
  if (!power || std::abs(power->score) < kStandsOut || power->median <= 0) return std::nullopt;
  const double ratio = power->value / power->median;
  if (std::abs(ratio - 1) < facts.over(kApart, kind::kStraggler, gpu.key)) return std::nullopt;
  return Found{fmt::format("it draws {} of the power of the others", percent(ratio)), ratio,
               std::abs(ratio - 1)};
}

std::optional<Found> straggles(const GpuState& gpu, const Facts& facts) {
  const Group group = group_of(gpu, facts);
  if (std::find(group.begin(), group.end(), &gpu) == group.end()) return std::nullopt;
  if (auto found = by_clock(gpu, group, facts)) return found;
  if (!facts.window.is_training()) return std::nullopt;
  if (auto found = by_busy(gpu, group, facts)) return found;
  return by_power(gpu, group, facts);
}

}  // namespace

void straggler_rules(const Facts& all, Candidates& into) {
  const Facts facts = all.of_steps();
  if (!facts.window.is_training() && !facts.window.is_watching()) return;
  for (const GpuState& gpu : facts.window.gpus()) {
    const auto found = straggles(gpu, facts);
    if (!found) continue;
    constexpr double kFar = 0.25;
    Candidate candidate = on_gpu(kind::kStraggler, gpu, facts);
    // Where nobody is watched it may be of another job.
    candidate.finding.severity = found->size >= kFar && facts.window.is_watching()
                                     ? findings::Severity::high
                                     : findings::Severity::medium;
    candidate.finding.status = findings::Status::suspected;
    candidate.finding.what =
        fmt::format("{} differs from those that it works with, which may wait for it: {}",
                    name_of(gpu), found->what);
    candidate.finding.cause = found->what;
    candidate.finding.fix =
        "compare clocks, power limit, temperature and the PCIe link of this GPU with the others' "
        "(nvidia-smi -q), and whether its share of the work is the same";
    candidate.finding.evidence.push_back(evidence_of(metric::kAgainstOthers, found->against));
    into.push_back(std::move(candidate));
  }
}

}  // namespace batchscope::watch
