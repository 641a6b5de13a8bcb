#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "batchscope/base/counted.hpp"
#include "batchscope/findings/wording.hpp"
#include "rules/rhythm.hpp"
#include "rules/rule.hpp"

namespace batchscope::training {
namespace {

constexpr int64_t kLoadingEvery = 16;
constexpr std::size_t kLoadingSteps = 512, kFewestLoadingSteps = 20;
// Of lines that are means of many steps.
constexpr std::size_t kFewestLines = 8;
constexpr int64_t kFewestOfLines = 100;
constexpr double kLow = 0.05, kMedium = 0.15, kHigh = 0.40, kGone = 0.7;
constexpr const char* kWait = "loading";

constexpr findings::Metric kLoadingWait{
    "loading_wait", "Share of the step time that the loop reported as waiting for batches."};

constexpr auto kLoading =
    Row("training.loading", "Steps wait for their batches",
        Prose("Over the last {} steps, the loop reported waits for batches of at least {%} of the "
              "time. The first {} steps do not count, because workers start in them. Waits in less "
              "than one of twenty steps, without a rhythm, do not count either: those are slow "
              "steps, which more workers do not fix. At the end, the finding covers the steps that "
              "waited, without the {} steps before and after.",
              kLoadingSteps, kLow, kStartUpSteps, kLoadingSteps),
        "Give the loader more workers and more prefetching, or make samples cheaper. Findings on "
        "the machine show why the loader is slow.",
        Prose("low from {%} of the time, medium from {%}, high from {%}", kLow, kMedium, kHigh),
        metrics(&kLoadingWait));

findings::Severity severity_of_wait(double share) {
  if (share >= kHigh) return findings::Severity::high;
  return share >= kMedium ? findings::Severity::medium : findings::Severity::low;
}

struct Waits {
  std::size_t steps = 0;  // that are told
  int64_t replace = 0;
  double waited = 0, seconds = 0;
  double longest = 0, squares = 0;     // of waits
  int64_t began_ns = 0, ended_ns = 0;  // of the first and the last step

  void add(const StepFact& fact) {
    if (steps++ == 0) began_ns = fact.time_ns - std::llround(fact.seconds * 1e9);
    longest = std::max(longest, *fact.loading_seconds);
    squares += *fact.loading_seconds * *fact.loading_seconds;
    ended_ns = fact.time_ns;
    replace += fact.replaces;
    waited += *fact.loading_seconds;
    seconds += fact.seconds;
  }
  bool are_enough() const {
    return steps >= kFewestLoadingSteps || (steps >= kFewestLines && replace >= kFewestOfLines);
  }
  double share() const { return waited / seconds; }
  // So many equal ones would be as uneven: 1 where one is all of it.
  double effective_steps() const { return squares > 0 ? waited * waited / squares : 0; }
  // Over what is told at all: steps that wait less make it smaller.
  double excess() const { return waited - kLow * seconds; }
};

// The waits are in few steps that are far apart, and not in those of a rhythm, as of workers that
// take turns.
bool are_single(std::span<const StepFact> late, const Waits& all) {
  static constexpr double kFewest = 8, kFewestShare = 0.05, kOfMean = 4;
  const auto are_many = [](double waiting, double steps) {
    return waiting >= std::max(kFewest, kFewestShare * steps);
  };
  if (are_many(all.effective_steps(), static_cast<double>(all.steps))) return false;
  const double mean = all.waited / static_cast<double>(all.steps);
  std::vector<SlowStep> waiting;
  for (const StepFact& fact : late) {
    if (*fact.loading_seconds > kOfMean * mean) {
      waiting.push_back({fact.index, *fact.loading_seconds});
    }
  }
  if (waiting.empty()) return true;
  const auto span = static_cast<double>(waiting.back().index - waiting.front().index + 1);
  if (are_many(static_cast<double>(waiting.size()), span)) return false;
  return rhythms_of(waiting, late.back().index, 1).found.empty();
}

class LoadingRule : public Rule {
 public:
  void see(const telemetry::TrainingStep& step, RuleContext& scene) override {
    if (!step.loading_seconds) return;
    if (since_) {
      since_->add(scene.window.last());
      if (since_->excess() >= reported_.excess()) reported_ = *since_;
    }
    if (scene.window.last().index % kLoadingEvery != 0 && scene.window.last().replaces == 1) return;
    const std::vector<StepFact> late = late_steps(scene);
    Waits all;
    for (const StepFact& fact : late) all.add(fact);
    if (!all.are_enough()) return;
    // Few that are most of it are told as slow steps, which more workers do not mend.
    if (since_ ? all.longest > all.waited / 2 : are_single(late, all)) return end(scene);
    const bool is_over = since_ && since_->steps - reported_.steps >= kLoadingSteps;
    if (is_over || all.share() < (since_ ? kGone * kLow : kLow)) return end(scene);
    if (!since_) since_ = reported_ = waits_at_the_end(late);
    scene.tracker.raise(scene.key(kWait), finding_of(reported_, scene), reported_.began_ns);
  }

  void restart(RuleContext& scene) override { end(scene); }

 private:
  void end(RuleContext& scene) {
    if (since_) scene.tracker.end(scene.key(kWait), reported_.ended_ns);
    since_.reset();
  }

  // In their order.
  static std::vector<StepFact> late_steps(const RuleContext& scene) {
    std::vector<StepFact> late;
    const auto& facts = scene.window.facts();
    for (auto fact = facts.rbegin(); fact != facts.rend() && late.size() < kLoadingSteps; ++fact) {
      if (fact->before < kStartUpSteps) break;
      if (fact->loading_seconds) late.push_back(*fact);
    }
    std::ranges::reverse(late);
    return late;
  }

  // Those up to the last whose excess is the largest: without the steps before it began.
  static Waits waits_at_the_end(std::span<const StepFact> late) {
    Waits back;
    double most = 0;
    std::size_t begin = late.size() - 1;
    for (std::size_t i = late.size(); i-- > 0;) {
      back.add(late[i]);
      if (back.excess() < most) continue;
      most = back.excess();
      begin = i;
    }
    Waits waits;
    for (const StepFact& fact : late.subspan(begin)) waits.add(fact);
    return waits;
  }

  static findings::Finding finding_of(const Waits& waits, const RuleContext& scene) {
    const double share = waits.share();
    auto finding = scene.finding(kLoading, severity_of_wait(share));
    finding.what = fmt::format("{1} spent {0} of their time waiting for batches",
                               findings::percent(share), base::counted(waits.replace, "step"));
    finding.fix = "give the loader more workers and more prefetching, or make samples cheaper";
    finding.evidence = {evidence_of(kLoadingWait, share)};
    finding.gain = stats::Interval{0, share};
    finding.gain_unit = findings::kRatioUnit;
    return finding;
  }

  // All steps since it began, and those up to where they waited most: after that it may be over.
  // Absent: it does not stand.
  std::optional<Waits> since_;
  Waits reported_;
};

}  // namespace

RuleRow loading_rule() {
  return {[]() -> std::unique_ptr<Rule> { return std::make_unique<LoadingRule>(); }, {&kLoading}};
}

}  // namespace batchscope::training
