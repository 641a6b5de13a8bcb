#include "rules/slowing_steps.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <utility>

#include "batchscope/findings/wording.hpp"
#include "rules/change_evidence.hpp"
#include "rules/step_change.hpp"

namespace batchscope::training {
namespace {

constexpr std::size_t kFewestTimeBlocks = 16;
constexpr double kErrors = 5;
// What grew little by little may fall back at once, and grow again.
constexpr std::size_t kLatest = 48;

std::string in_words(double longer, const stats::Interval& interval) {
  if (1 + longer < kManyTimes) {
    return findings::percent(longer) + " longer" + findings::in_interval(interval);
  }
  return fmt::format("{:.3g} times as long (95 % CI {})", 1 + longer,
                     findings::more_or_less_range(longer, interval));
}

findings::Finding finding_of(const Trend& trend, const RuleContext& scene) {
  const double longer = std::expm1(trend.change);
  const stats::Interval interval{std::expm1(trend.change - 2 * trend.error),
                                 std::expm1(trend.change + 2 * trend.error)};
  auto finding = scene.finding(kSlowing, findings::severity_of_excess(longer));
  finding.what = fmt::format("Steps slow down gradually: {} at step {} than at step {}",
                             in_words(longer, interval), trend.to_step, trend.from_step);
  finding.fix = "check what grows: memory, caches, sample lengths, the GPU's temperature";
  finding.evidence = {evidence_of(kStepsLonger, {longer, interval})};
  return finding;
}

}  // namespace

const Kind kSlowing =
    Row("training.slowing", "Steps slow down gradually",
        Prose("Since the last change, a straight line through all steps rises by more than {%} and "
              "five standard errors, and fits better than two levels. Or two levels with a slope "
              "between them fit far better than both. The finding ends when the last {} steps are "
              "nearly as fast as the first.",
              &StepOptions::least_change, kLatest),
        "Check what grows: memory, caches, sample lengths, the GPU's temperature.",
        Prose("low above {%}, medium above {%}, high above {%} longer; low from the third time",
              findings::kLowExcess, findings::kMediumExcess, findings::kHighExcess),
        metrics(&kStepsLonger));

std::optional<Trend> SlowingSteps::add(const telemetry::TrainingStep& step,
                                       const RuleContext& scene) {
  if (!history_.add(step.step, std::log(step.seconds))) return std::nullopt;
  const auto blocks = history_.blocks();
  if (blocks.size() < kFewestTimeBlocks) return std::nullopt;
  Trend trend = slope_of(blocks);
  if (trend.change < std::log1p(scene.options.least_change)) return std::nullopt;
  if (trend.change < kErrors * trend.error || trend.squares > trend.step_squares) {
    return std::nullopt;
  }
  // What goes on after changes in between is told as a whole.
  if (reported_) {
    trend.change += trend.first - reported_->before.mean;
    trend.first = reported_->before.mean;
    trend.from_step = reported_->step;
    if (trend.change <= reported_->size) return std::nullopt;
  }
  return trend;
}

void SlowingSteps::tell(const Trend& trend, RuleContext& scene) {
  const StepFact& last = scene.window.last();
  std::string key = scene.key("slowing");
  scene.tracker.raise(key, less_if_often(finding_of(trend, scene), passed_), last.time_ns);
  if (reported_) {
    reported_->size = trend.change;
  } else {
    reported_ = {std::move(key), last.index, {trend.first, 0}, trend.change, 0, trend.from_step};
  }
}

void SlowingSteps::restart_at_change(std::span<const StepFact> since, bool is_slower,
                                     RuleContext& scene) {
  if (!is_slower) end(scene);
  history_.clear();
  for (const StepFact& fact : since) history_.add(fact.step, std::log(fact.seconds));
}

void SlowingSteps::end(RuleContext& scene) {
  if (reported_) scene.tracker.end(reported_->key, scene.window.last().time_ns);
  reported_.reset();
}

void SlowingSteps::end_where_back(const LatestSteps& latest, RuleContext& scene) {
  if (!reported_) return;
  const auto ended_ns = ended_at_ns(*reported_, latest, kLatest);
  if (!ended_ns) return;
  scene.tracker.end(reported_->key, *ended_ns);
  reported_.reset();
  history_.clear();
  ++passed_;
}

void SlowingSteps::restart(RuleContext& scene) {
  end(scene);
  history_.clear();
  passed_ = 0;
}

}  // namespace batchscope::training
