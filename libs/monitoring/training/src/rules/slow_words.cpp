#include "rules/slow_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "batchscope/base/units.hpp"
#include "batchscope/findings/wording.hpp"

namespace batchscope::training {
namespace {

using findings::kRatioUnit;
using findings::Metric;
using findings::Severity;

constexpr double kMainly = 0.5;  // of what is extra: what explains so much of it is its cause

// Of few steps it may be the optimizer, after batches whose gradients are summed up.
constexpr int64_t kMostWorkers = 64;
// Typical steps that one of a rhythm takes more, from where on it may be a loader, and from where
// on it is no optimizer.
constexpr double kLonger = 1.25, kFarLonger = 2;
constexpr int64_t kFewWorkers = 16;

constexpr double kLowShare = 0.03, kMediumShare = 0.15, kHighShare = 0.40, kMuch = 0.25;

constexpr Metric kSlowStepCost{
    "slow_step_cost",
    "Extra time of slow steps over a typical step, as a share of the time of all steps."};
constexpr Metric kSlowStepPeriod{"slow_step_period", "Steps from one slow step to the next.",
                                 "steps"};

Severity severity_of_rhythm(int64_t period, double share) {
  if (share <= kLowShare) return Severity::info;
  return share > kMediumShare && period > kMostWorkers ? Severity::medium : Severity::low;
}

Severity severity_of_workers(double share) {
  if (share <= kLowShare) return Severity::info;
  if (share <= kMediumShare) return Severity::low;
  return share <= kHighShare ? Severity::medium : Severity::high;
}

enum class Why { workers_proven, workers_suspected, loading, anything, no_loading };

Why why_of(const RhythmReported& reported) {
  // Of a few steps apart some are so by chance where steps became slow a moment ago.
  constexpr int64_t kShort = 8, kFewestOfShort = 12, kFewest = 5;
  const int64_t fewest = reported.rhythm.period < kShort ? kFewestOfShort : kFewest;
  const bool few_steps = reported.period <= kMostWorkers && reported.rhythm.steps >= fewest;
  if (reported.loading_is_reported) {
    if (reported.rhythm.waited < kMainly) return Why::no_loading;
    return few_steps ? Why::workers_proven : Why::loading;
  }
  const double least = reported.period <= kFewWorkers ? kLonger : kFarLonger;
  const bool is_far = reported.rhythm.extra_seconds > least * reported.typical_seconds;
  return few_steps && is_far ? Why::workers_suspected : Why::anything;
}

std::string turns_of(int64_t period) {
  return fmt::format(
      "the loader's {0} workers prepare batches too slowly, or each epoch has {0} steps and "
      "restarts its workers",
      period);
}

void put_cause(const RhythmReported& reported, findings::Finding& finding) {
  switch (why_of(reported)) {
    case Why::workers_proven:
      finding.severity = severity_of_workers(reported.share);
      finding.status = findings::Status::proven;
      finding.cause = "each one waits for its batch: " + turns_of(reported.period);
      finding.fix =
          "give the loader more workers, or make samples cheaper; if epochs are that short, keep "
          "the workers (persistent_workers=True)";
      return;
    case Why::workers_suspected:
      finding.severity = std::min(severity_of_workers(reported.share), Severity::medium);
      finding.status = findings::Status::suspected;
      finding.cause = "probably " + turns_of(reported.period);
      if (reported.rhythm.extra_seconds <= kFarLonger * reported.typical_seconds) {
        finding.cause += "; or an evaluation, or an optimizer step after several batches";
      }
      finding.fix =
          "add loading_seconds to each step of the log to confirm this; if loading is slow, add "
          "workers; if epochs are that short, keep the workers (persistent_workers=True)";
      return;
    case Why::loading:
      finding.cause = "each one waits for its batch";
      finding.fix = "check what the loader does then: a new file, a new epoch, shuffling";
      return;
    case Why::no_loading:
      finding.cause =
          "not the loader; perhaps checkpoints, evaluations, logging, or an optimizer step after "
          "several batches";
      finding.fix = "do it less often or in the background, unless it is the optimizer";
      return;
    case Why::anything:
      finding.cause =
          "perhaps checkpoints, evaluations, logging, or an optimizer step after several batches";
      finding.fix = "do it less often or in the background, unless it is the optimizer";
      return;
  }
}

void put_cost(double share, findings::Finding& finding) {
  finding.evidence.push_back(evidence_of(kSlowStepCost, share));
  finding.gain = stats::Interval{0, share};
  finding.gain_unit = kRatioUnit;
}

// Consecutive ones as one.
std::vector<std::string> episodes_of(std::span<const int64_t> steps) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < steps.size();) {
    std::size_t end = i + 1;
    while (end < steps.size() && steps[end] == steps[end - 1] + 1) ++end;
    const bool is_long = end - i > 2;
    if (is_long) all.push_back(fmt::format("{} to {}", steps[i], steps[end - 1]));
    for (std::size_t each = i; !is_long && each < end; ++each) {
      all.push_back(fmt::format("{}", steps[each]));
    }
    i = end;
  }
  return all;
}

std::vector<int64_t> step_numbers(std::span<const SlowStep> slow) {
  std::vector<int64_t> all;
  for (const SlowStep& one : slow) all.push_back(one.step);
  return all;
}

// The longest ones, in their order.
std::vector<int64_t> longest(std::span<const SlowStep> slow, std::size_t most) {
  std::vector<SlowStep> all(slow.begin(), slow.end());
  std::ranges::stable_sort(all, std::ranges::greater(), &SlowStep::extra_seconds);
  if (all.size() > most) all.resize(most);
  std::ranges::sort(all, {}, &SlowStep::index);
  return step_numbers(all);
}

enum class Different { waited, larger, first_of_size, nothing };

// A larger batch takes longer by as much as it is larger, and not much more.
bool is_by_size(const SlowStep& one) {
  constexpr double kLarger = 1.5, kTimes = 2;
  return one.size >= kLarger && one.times() <= kTimes * one.size;
}

// No sample of them took longer than one of the others.
bool are_in_proportion(std::span<const SlowStep> slow) {
  constexpr double kTimes = 1.15;
  return std::ranges::all_of(
      slow, [](const SlowStep& one) { return one.size > 1 && one.times() <= kTimes * one.size; });
}

// What holds of most of the extra time.
Different different_about(std::span<const SlowStep> slow) {
  double all = 0, waited = 0, larger = 0, first = 0;
  for (const SlowStep& one : slow) {
    all += one.extra_seconds;
    waited += one.waited_seconds;
    if (is_by_size(one)) larger += one.extra_seconds;
    if (one.first_of_size) first += one.extra_seconds;
  }
  if (waited >= kMainly * all) return Different::waited;
  if (larger >= kMainly * all) return Different::larger;
  return first >= kMainly * all ? Different::first_of_size : Different::nothing;
}

// Of one to the next, where all are equal; else 0.
int64_t distance_of(std::span<const SlowStep> slow) {
  constexpr std::size_t kFewest = 3;
  if (slow.size() < kFewest) return 0;
  const int64_t first = slow[1].step - slow[0].step;
  for (std::size_t i = 2; i < slow.size(); ++i) {
    if (slow[i].step - slow[i - 1].step != first) return 0;
  }
  return first;
}

void put_difference(const IrregularReported& reported, findings::Finding& finding) {
  const bool one = reported.slow.size() == 1;
  const char* const each = one ? "the step" : "each step";
  switch (different_about(reported.slow)) {
    case Different::waited:
      finding.cause = one ? "it waited for its batch" : "they waited for their batches";
      finding.fix =
          "check the samples of these steps, and what their storage did then; more workers do not "
          "fix rare waits";
      if (const int64_t apart = distance_of(reported.slow); apart > 0) {
        finding.cause += fmt::format(", every {} steps", apart);
        finding.fix =
            "if epochs have that many steps, keep the workers (persistent_workers=True); else " +
            finding.fix;
      }
      return;
    case Different::larger:
      finding.cause = fmt::format("{} had a larger batch", each);
      finding.fix =
          "make batches of equal cost: sort samples by length, or limit the tokens per batch";
      if (are_in_proportion(reported.slow)) {
        finding.severity = Severity::info;
        finding.cause += ", and took longer in proportion";
        finding.fix =
            "do nothing with one process; with several that wait for each other, make batches of "
            "equal size";
      }
      return;
    case Different::first_of_size:
      finding.cause = fmt::format("{} was the first with a batch of its size", each);
      finding.fix =
          "use few sizes (drop or pad the last batch of an epoch), and run each once before: a new "
          "size costs compilation, tuning or allocation";
      return;
    case Different::nothing:
      finding.fix = "check what else ran then: the loader, other programs, the garbage collector";
      if (!reported.are_many) finding.fix += "; do nothing if it was an evaluation or a checkpoint";
      return;
  }
}

// Few may be evaluations or checkpoints, or one that hung: nobody can know, unless it waited.
Severity severity_of_few(const IrregularReported& reported) {
  if (different_about(reported.slow) == Different::waited) {
    return std::min(findings::severity_of_excess(reported.share), Severity::medium);
  }
  return reported.share > kMuch ? Severity::low : Severity::info;
}

// "Steps 32 and 187 took up to 212 s, 107 times a typical one".
std::string few_in_words(const IrregularReported& reported) {
  const SlowStep& most = *std::ranges::max_element(reported.slow, {}, &SlowStep::extra_seconds);
  const bool one = reported.slow.size() == 1;
  return fmt::format("Step{} {} took {}{}, {:.0f} times a typical one", one ? "" : "s",
                     numbers_of(step_numbers(reported.slow)), one ? "" : "up to ",
                     base::format_seconds(most.seconds()), most.times());
}

std::string many_in_words(const IrregularReported& reported) {
  constexpr std::size_t kNamed = 3;
  const SlowStep& most = *std::ranges::max_element(reported.slow, {}, &SlowStep::extra_seconds);
  return fmt::format(
      "{} of the last {} steps took much longer, up to {}, without a rhythm (longest: {})",
      reported.slow.size(), reported.of_steps, base::format_seconds(most.seconds()),
      numbers_of(longest(reported.slow, kNamed)));
}

}  // namespace

const Kind kPeriodic = Row(
    "training.periodic-slow-steps", "Slow steps at regular intervals",
    Prose("At least four steps at regular intervals (long ones within 1 %) took over {%} and six "
          "robust standard deviations longer than a typical step. Together they cost at least {%} "
          "of the time, and at most two of five are missing. If reported waits for batches make up "
          "half of the extra time, the loader is the proven cause. Up to {} steps apart, its "
          "workers take turns, or epochs are that short. If the loop reports no wait, and each "
          "slow step takes two typical steps longer, the loader is the suspect. Otherwise, "
          "checkpoints, evaluations, logging or the garbage collector are the cause. Up to {} "
          "steps apart, it may also be an optimizer step after several batches.",
          kLeastExtra, kLeastRhythm, kMostWorkers, kMostWorkers),
    "Give the loader more workers. Do other work less often, or in the background.",
    Prose("info; low above {%} of the time, medium above {%} and over {} steps apart; for a loader "
          "medium above {%}, and high above {%} if proven",
          kLowShare, kMediumShare, kMostWorkers, kMediumShare, kHighShare),
    metrics(&kSlowStepPeriod, &kSlowStepCost));

const Kind kSlowSteps =
    Row("training.slow-steps", "Single steps are much slower",
        Prose("Steps without a rhythm took over {%} and six robust standard deviations longer than "
              "a typical step, together at least {%} of the time of the last {} steps. Fewer than "
              "five steps, or the possible start of a rhythm, may be evaluations. Then one step "
              "has to take ten times longer, and {%} of the time is enough. The finding lists the "
              "steps if they are few. It also says what caused most of the extra time: a wait for "
              "the batch, a larger batch, or the first batch of its size.",
              kLeastExtra, kIrregular, kLookBack, kFewFarOut),
        "If these steps waited, check their samples. Otherwise check what ran then: other "
        "programs, the garbage collector.",
        Prose("low above {%} of the time, medium above {%}, high above {%}; a few steps that "
              "waited: at most medium; other few steps: info, low above {%}",
              findings::kLowExcess, findings::kMediumExcess, findings::kHighExcess, kMuch),
        metrics(&kSlowStepCost));

std::string numbers_of(std::span<const int64_t> steps) {
  constexpr std::size_t kMostNamed = 12;
  std::vector<std::string> all = episodes_of(steps);
  if (all.size() > kMostNamed) {
    const std::size_t others = all.size() - (kMostNamed - 1);
    all.resize(kMostNamed - 1);
    all.push_back(fmt::format("{} others", others));
  }
  std::string text = all.front();
  for (std::size_t i = 1; i < all.size(); ++i) {
    text += (i + 1 == all.size() ? " and " : ", ") + all[i];
  }
  return text;
}

findings::Finding in_rhythm(const RhythmReported& reported, const RuleContext& scene) {
  auto finding = scene.finding(kPeriodic, severity_of_rhythm(reported.period, reported.share));
  finding.evidence = {evidence_of(kSlowStepPeriod, static_cast<double>(reported.period))};
  put_cost(reported.share, finding);
  put_cause(reported, finding);
  finding.what =
      fmt::format("One of every {} steps takes {} longer, which costs {} of the time: {}",
                  reported.period, base::format_seconds(reported.rhythm.extra_seconds),
                  findings::percent(reported.share), finding.cause);
  return finding;
}

findings::Finding without_rhythm(const IrregularReported& reported, const RuleContext& scene) {
  auto finding =
      scene.finding(kSlowSteps, reported.are_many ? findings::severity_of_excess(reported.share)
                                                  : severity_of_few(reported));
  put_difference(reported, finding);
  finding.what = reported.are_many ? many_in_words(reported) : few_in_words(reported);
  finding.what += fmt::format(": {} of the time", findings::percent(reported.share));
  if (!reported.are_many) finding.what += fmt::format(" of the last {} steps", reported.of_steps);
  if (!reported.are_many && reported.share_of_all < 0.9 * reported.share) {
    finding.what += fmt::format(", {} of the time of all steps so far",
                                findings::percent(reported.share_of_all));
  }
  if (!finding.cause.empty()) finding.what += "; " + finding.cause;
  if (!reported.before.empty()) {
    finding.what += fmt::format("; earlier also step{} {}", reported.before.size() == 1 ? "" : "s",
                                numbers_of(reported.before));
  }
  put_cost(reported.share, finding);
  if (different_about(reported.slow) == Different::larger && are_in_proportion(reported.slow)) {
    finding.gain.reset();
    finding.gain_unit.clear();
  }
  return finding;
}

}  // namespace batchscope::training
