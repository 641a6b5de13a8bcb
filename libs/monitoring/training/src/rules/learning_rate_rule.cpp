#include <fmt/format.h>

#include "rules/rule.hpp"

namespace batchscope::training {
namespace {

// Warm-up may begin at 0.
constexpr int64_t kFewestAtZero = 20;
constexpr const char* kStill = "learning-rate-zero";

constexpr auto kRateZero =
    Row("training.learning-rate-zero", "The learning rate is 0",
        Prose("The learning rate was 0 in at least {} steps in a row.", kFewestAtZero),
        "Check the schedule: its number of steps, and that it advances once per step.", "medium");

class LearningRateRule : public Rule {
 public:
  bool judges_times() const override { return false; }
  void see(const telemetry::TrainingStep& step, RuleContext& scene) override {
    if (!step.learning_rate) return;
    if (*step.learning_rate != 0) return restart(scene);
    if (steps_ == 0) {
      first_step_ = step.step;
      first_ns_ = step.time_ns;
    }
    if (++steps_ != kFewestAtZero) return;
    auto finding = scene.finding(kRateZero, findings::Severity::medium);
    finding.what = fmt::format(
        "The learning rate has been 0 since step {}: the model learns nothing", first_step_);
    finding.fix = "check the schedule: its number of steps, and that it advances once per step";
    scene.tracker.raise(scene.key(kStill), std::move(finding), first_ns_);
  }

  void restart(RuleContext& scene) override {
    steps_ = 0;
    scene.tracker.end(scene.key(kStill), scene.window.last().time_ns);
  }

 private:
  int64_t steps_ = 0, first_step_ = 0, first_ns_ = 0;
};

}  // namespace

RuleRow learning_rate_rule() {
  return {[]() -> std::unique_ptr<Rule> { return std::make_unique<LearningRateRule>(); },
          {&kRateZero}};
}

}  // namespace batchscope::training
