#include "rules/step_change.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "batchscope/base/strings.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/findings/wording.hpp"
#include "batchscope/stats/descriptive.hpp"
#include "batchscope/telemetry/throttle_reasons.hpp"
#include "rules/change_evidence.hpp"

namespace batchscope::training {
namespace {

std::string of_gpu(const SignalChange& change) {
  return change.gpu.empty() ? "" : " of GPU " + base::visible(change.gpu);
}

std::string from_to(const SignalChange& change) {
  return fmt::format("from {} to {}", findings::percent(change.before),
                     findings::percent(change.after));
}

std::string bytes(double value) {
  return base::format_bytes(static_cast<int64_t>(value));
}

std::string words_of(const SignalChange& change) {
  switch (change.kind) {
    case SignalKind::sm_clock:
      return fmt::format("the SM clock{} fell from {:.0f} to {:.0f} MHz", of_gpu(change),
                         change.before / 1e6, change.after / 1e6);
    case SignalKind::throttled:
      return fmt::format("{1} throttled the clock{0}", of_gpu(change),
                         base::visible(telemetry::throttle_reason_in_words(change.reason)));
    case SignalKind::temperature:
      return fmt::format("the temperature{} rose from {:.0f} to {:.0f} °C", of_gpu(change),
                         change.before, change.after);
    case SignalKind::power:
      return fmt::format("the power{} fell from {:.0f} to {:.0f} W", of_gpu(change), change.before,
                         change.after);
    case SignalKind::gpu_memory:
      return fmt::format("memory use{} grew from {} to {}", of_gpu(change), bytes(change.before),
                         bytes(change.after));
    case SignalKind::other_cpu:
      return "the CPU share of other programs rose " + from_to(change);
    case SignalKind::io_pressure:
      return "the time waiting for disks rose " + from_to(change);
    case SignalKind::memory_pressure:
      return "the time waiting for memory rose " + from_to(change);
    case SignalKind::cpu_steal:
      return "the CPU time given to other guests by the hypervisor rose " + from_to(change);
    case SignalKind::cpu_quota:
      return "the share of periods throttled by the CPU quota rose " + from_to(change);
  }
  return "";
}

// "the SM clock of GPU 0 fell from 1980 to 1410 MHz"; of at most two changes, by "and".
std::string in_words(const std::vector<SignalChange>& changes) {
  constexpr std::size_t kMost = 2;
  std::vector<std::string> words;
  for (std::size_t i = 0; i < std::min(kMost, changes.size()); ++i) {
    words.push_back(words_of(changes[i]));
  }
  return base::join(words, " and ");
}

// What to do about the first of them; empty: nothing that could be said.
std::string what_to_do(const std::vector<SignalChange>& changes) {
  if (changes.empty()) return "";
  switch (changes.front().kind) {
    case SignalKind::sm_clock:
    case SignalKind::throttled:
      return "check the temperature, the power limit and the throttle reasons";
    case SignalKind::temperature:
      return "check the cooling";
    case SignalKind::other_cpu:
      return "move the other programs elsewhere, or pin this one to dedicated CPUs";
    case SignalKind::cpu_quota:
      return "raise the container's CPU quota, or use fewer loader workers";
    case SignalKind::cpu_steal:
      return "move to a host that is not overcommitted";
    case SignalKind::io_pressure:
      return "find what reads or writes the disks; keep the data in memory or on a faster disk";
    case SignalKind::memory_pressure:
      return "free memory on the machine: fewer loader workers, smaller caches";
    case SignalKind::power:
    case SignalKind::gpu_memory:
      return "";
  }
  return "";
}

constexpr findings::Metric kSampleLonger{
    "sample_longer",
    "Extra time per sample after a change of the batch size, as a share of the time before."};

constexpr std::size_t kBeside = 64;  // steps on each side that are looked at
// Of what a step takes longer: waiting for its batch explains the change from there on.
constexpr double kExplains = 0.5;

std::optional<double> mean_wait(std::span<const StepFact> facts) {
  std::vector<double> waits;
  for (const StepFact& fact : facts) {
    if (fact.loading_seconds) waits.push_back(*fact.loading_seconds);
  }
  return waits.empty() ? std::nullopt : std::optional(stats::mean(waits));
}

findings::Estimate ratio_of(const StepLevel& after, const StepLevel& before, double half_width,
                            double divided_by = 1) {
  const double size = std::log1p(excess_of(after, before));
  const auto ratio = [&](double of) { return std::exp(of) / divided_by - 1; };
  return {ratio(size), stats::Interval{ratio(size - half_width), ratio(size + half_width)}};
}

findings::Estimate ratio_of(const stats::ChangePoint& change, double divided_by = 1) {
  return ratio_of(level_after(change), level_before(change), change.size.half_width(), divided_by);
}

std::string since(const StepChange& change) {
  if (change.first.step == change.last.step) return fmt::format("since step {}", change.at.step);
  return fmt::format("since step {} ({} to {})", change.at.step, change.first.step,
                     change.last.step);
}

std::string wait_words(const StepChange& change) {
  if (!change.wait_before || !change.wait_after) return "";
  const double more = std::exp(change.change.after) - std::exp(change.change.before);
  if (*change.wait_after - *change.wait_before < kExplains * more) return "";
  return fmt::format("the wait for a batch grew from {} to {} per step",
                     base::format_seconds(*change.wait_before),
                     base::format_seconds(*change.wait_after));
}

}  // namespace

const Kind kRegression = Row(
    "training.regression", "Steps became slower",
    Prose(
        "The step time rose by more than {%} for at least {} steps. The test searches for changes "
        "of the mean of the logarithms, over the last {} steps. Outliers, a few slow steps close "
        "together, and noise that lasts from step to step do not count as changes. Steps may have "
        "been this slow already before some faster ones: within {%} and their interval, for at "
        "least 200 of the last 2,000 steps and twice as many as the faster ones. The finding then "
        "says so: an evaluation under the training's name causes this, or a neighbour that "
        "returns. Both the step and the size have an interval. The finding names what changed at "
        "the same time, on the machine or in the wait for batches. That is a coincidence, which "
        "may be the cause. The finding ends when steps are nearly as fast as before.",
        &StepOptions::least_change, kFewestAfter, kChangeSteps, &StepOptions::least_change),
    "Check the named change first. Otherwise check what started at that time.",
    Prose("low above {%}, medium above {%}, high above {%} longer; low from the third time, but "
          "the sum counts for the worst one; low if steps were this slow before some faster ones",
          findings::kLowExcess, findings::kMediumExcess, findings::kHighExcess),
    metrics(&kStepsLonger));

const Kind kBatchChange =
    Row("training.batch-change", "Batches became larger or smaller",
        Prose("The step time changed when the loop began to use another batch size. The finding "
              "compares samples per second, and lasts for {} steps.",
              kBatchesReportedFor),
        "Do nothing if throughput rose. Otherwise measure which batch size is fastest.",
        Prose("info; low if a sample takes more than {%} longer", &StepOptions::least_change),
        metrics(&kStepsLonger, &kSampleLonger));

bool StepChange::has_other_batches() const {
  return batch_before && batch_after && *batch_before != *batch_after;
}

StepChange step_change(std::span<const StepFact> facts, const stats::ChangePoint& change) {
  const std::size_t before = std::min(kBeside, change.index);
  const auto older = facts.subspan(change.index - before, before);
  const auto newer = facts.subspan(change.index, std::min(kBeside, facts.size() - change.index));
  return {facts[change.index], facts[change.first], facts[change.last], change,
          median_batch(older), median_batch(newer), mean_wait(older),   mean_wait(newer)};
}

findings::Finding slower_steps(const StepChange& change, const RuleContext& scene) {
  const findings::Estimate longer = ratio_of(change.change);
  auto finding = scene.finding(kRegression, findings::severity_of_excess(longer.value));
  const auto machine = scene.machine.changes(change.first.time_ns, change.last.time_ns);
  const std::string wait = wait_words(change);
  finding.cause = wait.empty() ? in_words(machine) : wait;
  const double times = 1 + longer.value;
  finding.what = times < kManyTimes
                     ? fmt::format("Steps take {} longer{} {}", findings::percent(longer.value),
                                   findings::in_interval(longer.ci), since(change))
                     : fmt::format("Steps take {:.3g} times as long {}", times, since(change));
  if (!finding.cause.empty()) finding.what += "; at the same time " + finding.cause;
  finding.fix =
      wait.empty() ? what_to_do(machine) : "give the loader more workers, and check its storage";
  if (finding.fix.empty()) finding.fix = "check what started at that time";
  finding.evidence = {evidence_of(kStepsLonger, longer)};
  finding.gain = stats::Interval{0, 1 - 1 / (1 + longer.value)};
  finding.gain_unit = findings::kRatioUnit;
  return finding;
}

double excess_of(const StepLevel& after, const StepLevel& before) {
  return std::expm1(after.mean - before.mean + (after.variance - before.variance) / 2);
}

findings::Finding still_slower(const StepChange& change, int64_t first_step,
                               const StepLevel& before, const RuleContext& scene) {
  const findings::Estimate longer =
      ratio_of(level_after(change.change), before, change.change.size.half_width());
  auto finding = scene.finding(kRegression, findings::severity_of_excess(longer.value));
  finding.what =
      fmt::format("Steps take {} longer{} than before step {}; they were even slower until step {}",
                  findings::percent(longer.value), findings::in_interval(longer.ci), first_step,
                  change.at.step);
  finding.fix = fmt::format("check what started near step {} and still continues", first_step);
  finding.evidence = {evidence_of(kStepsLonger, longer)};
  finding.gain = stats::Interval{0, 1 - 1 / (1 + longer.value)};
  finding.gain_unit = findings::kRatioUnit;
  return finding;
}

findings::Finding other_batches(const StepChange& change, const RuleContext& scene) {
  const double factor = *change.batch_after / *change.batch_before;
  const findings::Estimate longer = ratio_of(change.change);
  const findings::Estimate a_sample = ratio_of(change.change, factor);
  const bool is_slower = a_sample.value > scene.options.least_change && a_sample.ci->low > 0;
  auto finding =
      scene.finding(kBatchChange, is_slower ? findings::Severity::low : findings::Severity::info);
  finding.what = fmt::format(
      "Batches have {:g} samples instead of {:g} {}: a step takes {}, and the loop processes {} "
      "samples per second",
      *change.batch_after, *change.batch_before, since(change),
      findings::change_of_time(1 + longer.value),
      findings::more_or_fewer(1 / (1 + a_sample.value) - 1));
  finding.fix = is_slower ? "measure which batch size is fastest" : "";
  finding.evidence = {evidence_of(kStepsLonger, longer), evidence_of(kSampleLonger, a_sample)};
  return finding;
}

}  // namespace batchscope::training
