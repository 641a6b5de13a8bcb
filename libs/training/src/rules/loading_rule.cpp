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
    if (!step.loading_seconds || scene.window.last().index % kLoadingEvery != 0) return;
    double waited = 0, all = 0;
    std::size_t count = 0;
    const auto& facts = scene.window.facts();
    for (auto fact = facts.rbegin(); fact != facts.rend() && count < kLoadingSteps; ++fact) {
      if (fact->index < kStartUpSteps) break;
      if (!fact->loading_seconds) continue;
      ++count;
      waited += *fact->loading_seconds;
      all += fact->seconds;
    }
    if (count < kFewestLoadingSteps) return;
    const std::string key = scene.key(kWait);
    const double share = waited / all;
    if (share < (scene.standings.stands(key) ? kGone * kLow : kLow)) {
      return scene.standings.end(key, step.time_ns);
    }
    scene.standings.raise_worst(key, told(share, count, scene), step.time_ns);
  }

  void restart(Scene& scene) override {
    scene.standings.end(scene.key(kWait), scene.window.last().time_ns);
  }

 private:
  static findings::Finding told(double share, std::size_t count, const Scene& scene) {
    auto finding = scene.finding("training.loading", severity_of_wait(share));
    finding.what = fmt::format("{} of the time of the last {} steps went into waiting for batches",
                               findings::percent(share), count);
    finding.fix = "give the loader more workers and let them work ahead, or make samples cheaper";
    finding.evidence = {evidence_of(findings::metric::kLoadingWait, share)};
    finding.gain = stats::Interval{0, share};
    finding.gain_unit = findings::kRatioUnit;
    return finding;
  }
};

}  // namespace

std::unique_ptr<Rule> loading_rule() {
  return std::make_unique<LoadingRule>();
}

}  // namespace batchscope::training
