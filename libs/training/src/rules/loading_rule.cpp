#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "batchscope/findings/training_metrics.hpp"
#include "batchscope/findings/wording.hpp"
#include "rules/rule.hpp"

namespace batchscope::training {
namespace {

constexpr int64_t kLoadingEvery = 16;
constexpr std::size_t kLoadingSteps = 512, kFewestLoadingSteps = 32;
constexpr double kLow = 0.05, kMedium = 0.15, kHigh = 0.40, kGone = 0.7;
constexpr const char* kWait = "loading";

findings::Severity severity_of_wait(double share) {
  if (share >= kHigh) return findings::Severity::high;
  return share >= kMedium ? findings::Severity::medium : findings::Severity::low;
}

class LoadingRule : public Rule {
 public:
  void see(const telemetry::TrainingStep& step, Scene& scene) override {
    if (!step.loading_seconds) return;
    if (told_of_) told_of_->add(scene.window.last());
    if (scene.window.last().index % kLoadingEvery != 0) return;
    const Waits late = late_waits(scene);
    if (late.steps < kFewestLoadingSteps) return;
    if (late.share() < (told_of_ ? kGone * kLow : kLow)) return end(scene);
    if (!told_of_) told_of_ = late;
    scene.standings.raise(scene.key(kWait), told(*told_of_, scene), step.time_ns);
  }

  void restart(Scene& scene) override { end(scene); }

 private:
  struct Waits {
    std::size_t steps = 0;
    double waited = 0, seconds = 0;

    void add(const StepFact& fact) {
      ++steps;
      waited += *fact.loading_seconds;
      seconds += fact.seconds;
    }
    double share() const { return waited / seconds; }
  };

  void end(Scene& scene) {
    told_of_.reset();
    scene.standings.end(scene.key(kWait), scene.window.last().time_ns);
  }

  static Waits late_waits(const Scene& scene) {
    Waits late;
    const auto& facts = scene.window.facts();
    for (auto fact = facts.rbegin(); fact != facts.rend() && late.steps < kLoadingSteps; ++fact) {
      if (fact->index < kStartUpSteps) break;
      if (fact->loading_seconds) late.add(*fact);
    }
    return late;
  }

  static findings::Finding told(const Waits& waits, const Scene& scene) {
    const double share = waits.share();
    auto finding = scene.finding("training.loading", severity_of_wait(share));
    finding.what = fmt::format("{} of the time of {} steps went into waiting for batches",
                               findings::percent(share), waits.steps);
    finding.fix = "give the loader more workers and let them work ahead, or make samples cheaper";
    finding.evidence = {evidence_of(findings::metric::kLoadingWait, share)};
    finding.gain = stats::Interval{0, share};
    finding.gain_unit = findings::kRatioUnit;
    return finding;
  }

  // All steps since it stands, and those that showed it first; absent: it does not.
  std::optional<Waits> told_of_;
};

}  // namespace

std::unique_ptr<Rule> loading_rule() {
  return std::make_unique<LoadingRule>();
}

}  // namespace batchscope::training
