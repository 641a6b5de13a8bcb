#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "batchscope/findings/wording.hpp"
#include "batchscope/stats/descriptive.hpp"
#include "rules.hpp"

namespace batchscope::watch {
namespace {

using findings::evidence_of;
using findings::percent;

constexpr findings::Metric kAgainstOthers{
    "against_others",
    "Clock or power of the GPU over the median of its group, or its busy time minus the group's "
    "median: the first one that differs."};

constexpr double kPowerApart = 0.25, kFarApart = 0.25;

constexpr Kind kStraggler{
    Row("monitor.straggler", "A GPU differs from the others in its group",
        Prose("The group has at least three busy GPUs of one name, in one training or under the "
              "watched processes. One GPU's clock is at least {%} below the group's median. In a "
              "training, also: its busy time differs by {%}, or its power by {%}. The difference "
              "is at least four robust standard deviations. The others wait for this GPU, or it "
              "waits for them.",
              &Targets::straggler_clock, &Targets::straggler_busy, kPowerApart),
        "Compare clocks, limits, temperatures and links. Check that its share of the work is the "
        "same.",
        Prose("medium; high from a difference of {%}. If no process is watched, the GPU may belong "
              "to another job: medium by its clock, else low",
              kFarApart),
        metrics(&kAgainstOthers)),
    130, Role::none, ids("monitor.low-use", "monitor.synchronisation", "monitor.small-batch"),
    ids("monitor.small-batch", "monitor.synchronisation", "monitor.low-use")};

using Group = std::vector<const GpuState*>;

// GPUs of one name that are at work. That they work together nobody says: it is assumed of one
// training, or of what is watched.
Group group_of(const GpuState& like, const RuleContext& facts) {
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

  double ratio() const { return median > 0 ? value / median : 1; }
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

constexpr double kOutlier = 4;

enum class By : std::size_t { clock, busy, power };

struct Departures {
  std::optional<Departure> clock, busy, power;
};

// Of each of them the time that it was told by, and what it was then: the means of all of it are
// those of its own time.
constexpr std::size_t kNumbers = 3;

std::vector<double> shares_of(By by, const Departures& departs) {
  std::vector<double> shares(3 * kNumbers);
  const auto put = [&, at = static_cast<std::size_t>(by) * kNumbers](double own, double others) {
    shares[at] = 1;
    shares[at + 1] = own;
    shares[at + 2] = others;
  };
  switch (by) {
    case By::clock:
      put(departs.clock->ratio(), 1);
      break;
    case By::busy:
      put(departs.busy->value, departs.busy->median);
      break;
    case By::power:
      put(departs.power->ratio(), 1);
      break;
  }
  return shares;
}

By most_of_the_time(std::span<const double> shares) {
  By most = By::clock;
  for (const By by : {By::busy, By::power}) {
    if (shares[static_cast<std::size_t>(by) * kNumbers] >
        shares[static_cast<std::size_t>(most) * kNumbers]) {
      most = by;
    }
  }
  return most;
}

std::optional<By> by_what(const GpuState& gpu, const Departures& departs,
                          const RuleContext& facts) {
  const auto over = [&](double threshold) { return facts.over(threshold, kStraggler, gpu.key); };
  const auto is_outlier = [](const std::optional<Departure>& each) {
    return each && std::abs(each->score) >= kOutlier;
  };
  const auto& [clock, busy, power] = departs;
  if (is_outlier(clock) && 1 - clock->ratio() >= over(facts.targets.straggler_clock)) {
    return By::clock;
  }
  if (!facts.window.is_training()) return std::nullopt;
  if (is_outlier(busy) &&
      std::abs(busy->value - busy->median) >= over(facts.targets.straggler_busy)) {
    return By::busy;
  }
  // A GPU that waits in a collective counts as busy, and draws less.
  if (is_outlier(power) && std::abs(power->ratio() - 1) >= over(kPowerApart)) return By::power;
  return std::nullopt;
}

struct Reported {
  std::string what;  // "its clock is 12 % below that of the others"
  double against = 1;
  double size = 0;  // of the departure
};

Reported reported_of(By by, std::span<const double> shares) {
  const auto of = shares.subspan(static_cast<std::size_t>(by) * kNumbers, kNumbers);
  const double own = of[1] / of[0], others = of[2] / of[0];
  switch (by) {
    case By::clock:
      return {fmt::format("its clock is {} below the others'", percent(1 - own)), own, 1 - own};
    case By::busy:
      return {
          fmt::format("it is busy {} of the time, the others {}", percent(own), percent(others)),
          own - others, std::abs(own - others)};
    case By::power:
      break;
  }
  return {fmt::format("it draws {} of the others' power", percent(own)), own, std::abs(own - 1)};
}

Departures departures_of(const GpuState& gpu, const RuleContext& facts) {
  const Group group = group_of(gpu, facts);
  if (std::find(group.begin(), group.end(), &gpu) == group.end()) return {};
  return {departure(gpu, group, GpuValue::clock_share, 0.01),
          departure(gpu, group, GpuValue::busy, 0.03),
          departure(gpu, group, GpuValue::power_share, 0.04)};
}

// Where nobody is watched it may be of another job: a clock that is low is of this machine still.
findings::Severity severity_of(By by, double size, bool is_watching) {
  using enum findings::Severity;
  if (is_watching) return size >= kFarApart ? high : medium;
  return by == By::clock ? medium : low;
}

void tell_of(By by, const Reported& reported, const std::string& gpu, bool is_watching,
             findings::Finding& finding) {
  finding.severity = severity_of(by, reported.size, is_watching);
  finding.what =
      fmt::format("{} differs from the other GPUs, which may wait for it: {}", gpu, reported.what);
  finding.cause = reported.what;
  finding.evidence.push_back(evidence_of(kAgainstOthers, reported.against));
}

void look_for_stragglers(const RuleContext& all, RuleHits& into) {
  const RuleContext facts = all.of_steps();
  if (!facts.window.is_training() && !facts.window.is_watching()) return;
  for (const GpuState& gpu : facts.window.gpus()) {
    const Departures departs = departures_of(gpu, facts);
    const auto by_now = by_what(gpu, departs, facts);
    if (!by_now) continue;
    RuleHit& candidate = into.emplace_back(on_gpu(kStraggler, gpu, facts));
    candidate.finding.status = findings::Status::suspected;
    candidate.finding.fix =
        "compare its clocks, power limit, temperature and PCIe link with the others' (nvidia-smi "
        "-q); check that its share of the work is the same";
    candidate.tell_with_levels(
        shares_of(*by_now, departs),
        [bare = candidate.finding, name = name_of(gpu),
         is_watching = facts.window.is_watching()](std::span<const double> shares) {
          findings::Finding finding = bare;
          const By by = most_of_the_time(shares);
          tell_of(by, reported_of(by, shares), name, is_watching, finding);
          return finding;
        });
  }
}

}  // namespace

Rules straggler_rules() {
  return {look_for_stragglers, {&kStraggler}};
}

}  // namespace batchscope::watch
