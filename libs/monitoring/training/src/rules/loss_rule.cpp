#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "batchscope/base/counted.hpp"
#include "batchscope/findings/wording.hpp"
#include "batchscope/stats/descriptive.hpp"
#include "rules/rule.hpp"

namespace batchscope::training {
namespace {

constexpr std::size_t kLosses = 64, kFewestLosses = 48, kLevelLosses = 32;
constexpr double kFar = 8, kVeryFar = 25, kNear = 3;
constexpr double kLeastRise = 0.1;
constexpr std::size_t kRecent = 4, kFarOfRecent = 3;
constexpr int64_t kFiniteAgain = 20;
constexpr int64_t kStepsOfRate = 16;
constexpr const char *kNotFinite = "loss-not-finite", *kSpike = "loss-spike";

constexpr findings::Metric kLossRise{
    "loss_rise", "How far a loss is above the earlier ones, in their robust standard deviations.",
    "standard deviations"};

constexpr auto kLossNotFinite =
    Row("training.loss-not-finite", "The loss is NaN or infinite",
        Prose("A step reported a loss that is NaN or infinite. One or two such steps between "
              "finite ones are normal: mixed precision skips them. Three in a row end a training. "
              "The finding ends after {} finite losses in a row.",
              kFiniteAgain),
        "Do nothing for a rare skipped step. Otherwise stop, and resume from a checkpoint before "
        "this step. Check the batch, the learning rate, and overflows in 16 bits.",
        Prose("high from three in a row; medium until a finite loss follows, and for three within "
              "{} steps; info for skipped steps",
              kFiniteAgain));

constexpr auto kLossSpike =
    Row("training.loss-spike", "The loss jumped",
        Prose("Three of four losses are over {} robust standard deviations and {%} above the "
              "earlier level, or one loss is over {}. The rule needs at least {} losses. The "
              "finding ends when the loss is back, or after {} steps.",
              kFar, kLeastRise, kVeryFar, kFewestLosses, 4 * kLosses),
        "Check the batches of that step. If it happens again, lower the learning rate or clip "
        "gradients.",
        Prose("medium; info if the learning rate at least doubled in the {} steps before",
              kStepsOfRate),
        metrics(&kLossRise));

class LossRule : public Rule {
 public:
  bool judges_times() const override { return false; }
  void see(const telemetry::TrainingStep& step, RuleContext& scene) override {
    note_rate(step);
    if (!step.loss_word.empty() || (step.loss && !std::isfinite(*step.loss))) {
      return see_not_finite(step, scene);
    }
    if (!step.loss) return;
    if (scene.tracker.is_active(scene.key(kNotFinite))) see_finite_again(step, scene);
    scene.tracker.is_active(scene.key(kSpike)) ? see_after_spike(step, scene)
                                               : see_finite(step, scene);
  }

  void restart(RuleContext& scene) override {
    losses_.clear();
    recent_.clear();
    rates_.clear();
    rise_.reset();
    scene.tracker.end(scene.key(kNotFinite), scene.window.last().time_ns);
    scene.tracker.end(scene.key(kSpike), scene.window.last().time_ns);
  }

 private:
  // A schedule that starts anew (warm restarts) lets the loss jump.
  void note_rate(const telemetry::TrainingStep& step) {
    constexpr double kTimes = 2;
    constexpr std::size_t kRates = 16;
    if (!step.learning_rate) return;
    // Of several that take turns none is a rise.
    const double highest = rates_.empty() ? 0 : *std::ranges::max_element(rates_);
    if (highest > 0 && *step.learning_rate > kTimes * highest) {
      rise_ = {step.step, rates_.back(), *step.learning_rate};
    }
    rates_.push_back(*step.learning_rate);
    if (rates_.size() > kRates) rates_.pop_front();
  }

  // At the step of a jump, or a few before it.
  bool is_by_the_rate(int64_t step) const {
    return rise_ && step >= rise_->step && step - rise_->step <= kStepsOfRate;
  }

  // One, or two, may be steps that were skipped; more in a row are the end, until there are finite
  // ones for long.
  void see_not_finite(const telemetry::TrainingStep& step, RuleContext& scene) {
    if (!scene.tracker.is_active(scene.key(kNotFinite))) {
      not_finite_ = {step.step, step.loss_word.empty() ? "not finite" : step.loss_word};
    }
    finite_ = 0;
    ++not_finite_.in_all;
    not_finite_.most_in_a_row = std::max(not_finite_.most_in_a_row, ++not_finite_.in_a_row);
    scene.tracker.raise(scene.key(kNotFinite), not_finite(scene), step.time_ns);
  }

  void see_finite_again(const telemetry::TrainingStep& step, RuleContext& scene) {
    not_finite_.in_a_row = 0;
    if (++finite_ == 1) {
      scene.tracker.raise(scene.key(kNotFinite), not_finite(scene), step.time_ns);
    }
    if (finite_ >= kFiniteAgain) scene.tracker.end(scene.key(kNotFinite), step.time_ns);
  }

  findings::Finding not_finite(const RuleContext& scene) const {
    constexpr int64_t kSeveral = 3;
    const NotFinite& at = not_finite_;
    const bool is_end = at.most_in_a_row >= kSeveral;
    const bool is_skipped = !is_end && finite_ > 0 && at.in_all < kSeveral;
    auto finding = scene.finding(kLossNotFinite, is_end       ? findings::Severity::high
                                                 : is_skipped ? findings::Severity::info
                                                              : findings::Severity::medium);
    finding.what = fmt::format("The loss became {} at step {}", at.word, at.step);
    if (is_skipped) {
      finding.what += ", and was finite again after it: mixed precision skips such steps";
      finding.fix = "do nothing if this is rare; else check the batch of that step";
      return finding;
    }
    if (is_end) {
      finding.what += fmt::format(", for {} in a row", base::counted(at.most_in_a_row, "step"));
    } else if (at.in_all > 1) {
      finding.what += fmt::format(", and in {} since", base::counted(at.in_all - 1, "step"));
    }
    finding.fix = is_end ? "stop, and resume from a checkpoint before that step; check the batch, "
                           "the learning rate, and overflows in 16 bits"
                         : "stop if this continues; check the batches of these steps, the learning "
                           "rate, and overflows in 16 bits";
    return finding;
  }

  void see_finite(const telemetry::TrainingStep& step, RuleContext& scene) {
    const double loss = *step.loss;
    if (losses_.size() >= kFewestLosses) {
      measure();
      recent_.push_back({step.step, step.time_ns, loss});
      if (recent_.size() > kRecent) recent_.pop_front();
      if (has_jumped()) return tell_spike(scene);
      // What may be the beginning of a jump is no part of what it is held against.
      if (is_far(loss, kFar)) return;
    }
    losses_.push_back(loss);
    if (losses_.size() > kLosses) losses_.pop_front();
  }

  // The level, and the noise around it without a slope's part.
  void measure() {
    const std::vector<double> losses(losses_.begin(), losses_.end());
    level_ = stats::median(std::span(losses).last(kLevelLosses));
    std::vector<double> steps;
    for (std::size_t i = 1; i < losses.size(); ++i) steps.push_back(losses[i] - losses[i - 1]);
    const double of_steps = stats::robust_std(steps) / std::sqrt(2);
    const double of_level = stats::robust_std(std::span(losses).last(kLevelLosses));
    noise_ = std::max({of_steps, of_level, noise_above(losses), 1e-6 * std::abs(level_)});
    if (of_steps > 0 || of_level > 0) return;
    // Most are exactly equal: rounded, or 0 within a margin, and then nothing can be measured.
    constexpr double kOfRounded = 0.05;
    noise_ = level_ == 0 ? std::numeric_limits<double>::infinity()
                         : std::max(noise_, kOfRounded * std::abs(level_));
  }

  // By the 95th percentile, as of normal noise: what is reached by one in twenty is no jump, and
  // most losses may be 0.
  double noise_above(const std::vector<double>& losses) const {
    constexpr double kDeviations = 1.645;
    return (stats::quantile(losses, 0.95) - level_) / kDeviations;
  }

  bool is_far(double loss, double deviations) const {
    return loss - level_ > std::max(deviations * noise_, kLeastRise * std::abs(level_));
  }

  bool has_jumped() const {
    const auto far = std::count_if(recent_.begin(), recent_.end(),
                                   [&](const Recent& one) { return is_far(one.loss, kFar); });
    if (!is_far(recent_.back().loss, kFar)) return false;
    return static_cast<std::size_t>(far) >= kFarOfRecent || is_far(recent_.back().loss, kVeryFar);
  }

  void tell_spike(RuleContext& scene) {
    const auto first = std::find_if(recent_.begin(), recent_.end(),
                                    [&](const Recent& one) { return is_far(one.loss, kFar); });
    auto finding = scene.finding(kLossSpike, findings::Severity::medium);
    finding.what = fmt::format("The loss jumped from about {:.3g} to {:.3g} at step {}", level_,
                               recent_.back().loss, first->step);
    finding.fix =
        "check the batches of that step; if it happens again, lower the learning rate or clip "
        "gradients";
    if (is_by_the_rate(first->step)) {
      finding.severity = findings::Severity::info;
      finding.cause = fmt::format("the learning rate rose from {:.3g} to {:.3g} at step {}",
                                  rise_->before, rise_->after, rise_->step);
      finding.what += ", as " + finding.cause;
      finding.fix = "do nothing if the schedule restarts there on purpose";
    }
    finding.evidence = {evidence_of(kLossRise, (recent_.back().loss - level_) / noise_)};
    scene.tracker.raise(scene.key(kSpike), std::move(finding), first->time_ns);
    since_spike_.push_back(recent_.back().loss);
    recent_.clear();
  }

  // Until it is near to where it was, or as long as that tells a new level.
  void see_after_spike(const telemetry::TrainingStep& step, RuleContext& scene) {
    recent_.push_back({step.step, step.time_ns, *step.loss});
    const auto near = std::count_if(recent_.begin(), recent_.end(), [&](const Recent& one) {
      return one.loss <= level_ + kNear * noise_;
    });
    const bool is_back = recent_.size() >= kRecent && 2 * static_cast<std::size_t>(near) > kRecent;
    if (recent_.size() > kRecent + 1) recent_.pop_front();
    if (is_back) {
      scene.tracker.end(scene.key(kSpike), step.time_ns);
      recent_.clear();
      for (const double loss : std::exchange(since_spike_, {})) losses_.push_back(loss);
      while (losses_.size() > kLosses) losses_.pop_front();
      return;
    }
    // What does not come back is told by its trend; jumps are held against it as it is now.
    since_spike_.push_back(*step.loss);
    if (since_spike_.size() < 4 * kLosses) return;
    losses_.assign(since_spike_.end() - static_cast<std::ptrdiff_t>(kLosses), since_spike_.end());
    since_spike_.clear();
    recent_.clear();
    scene.tracker.end(scene.key(kSpike), step.time_ns);
  }

  struct Recent {
    int64_t step = 0, time_ns = 0;
    double loss = 0;
  };
  struct NotFinite {
    int64_t step = 0;
    std::string word;
    int64_t in_all = 0, in_a_row = 0, most_in_a_row = 0;
  };
  struct Rise {
    int64_t step = 0;
    double before = 0, after = 0;
  };

  std::deque<double> losses_;  // that are no part of a jump
  std::deque<Recent> recent_;
  std::deque<double> since_spike_;
  std::deque<double> rates_;  // of learning, the last
  std::optional<Rise> rise_;  // the last
  double level_ = 0, noise_ = 0;
  NotFinite not_finite_;  // since it stands
  int64_t finite_ = 0;    // in a row, since the last that was not
};

}  // namespace

RuleRow loss_rule() {
  return {[]() -> std::unique_ptr<Rule> { return std::make_unique<LossRule>(); },
          {&kLossNotFinite, &kLossSpike}};
}

}  // namespace batchscope::training
