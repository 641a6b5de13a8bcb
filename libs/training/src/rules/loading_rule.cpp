#include <fmt/format.h>

#include <algorithm>

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
    const std::string key = scene.key(kWait);
    if (scene.standings.stands(key)) told_of_.add(scene.window.last());
    if (scene.window.last().index % kLoadingEvery != 0) return;
    const Waits late = late_waits(scene);
    if (late.steps < kFewestLoadingSteps) return;
    const double least = scene.standings.stands(key) ? kGone * kLow : kLow;
    if (late.share() < least) return scene.standings.end(key, step.time_ns);
    if (!scene.standings.stands(key)) told_of_ = late;
    scene.standings.raise(key, told(scene), step.time_ns);
  }

  void restart(Scene& scene) override {
    scene.standings.end(scene.key(kWait), scene.window.last().time_ns);
  }

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

  static Waits late_waits(const Scene& scene) {
    Waits late;
    const auto& facts = scene.window.facts();
    for (auto fact = facts.rbegin(); fact != facts.rend() && late.steps < kLoadingSteps; ++fact) {
      if (fact->index < kStartUpSteps) break;
      if (fact->loading_seconds) late.add(*fact);
    }
    return late;
  }

  findings::Finding told(const Scene& scene) const {
    const double share = told_of_.share();
    auto finding = scene.finding("training.loading", severity_of_wait(share));
    finding.what = fmt::format("{} of the time of {} steps went into waiting for batches",
                               findings::percent(share), told_of_.steps);
    finding.fix = "give the loader more workers and let them work ahead, or make samples cheaper";
    finding.evidence = {evidence_of(findings::metric::kLoadingWait, share)};
    finding.gain = stats::Interval{0, share};
    finding.gain_unit = findings::kRatioUnit;
    return finding;
  }

  Waits told_of_;  // all steps since it stands, and those that showed it first
};

}  // namespace

std::unique_ptr<Rule> loading_rule() {
  return std::make_unique<LoadingRule>();
}

}  // namespace batchscope::training
