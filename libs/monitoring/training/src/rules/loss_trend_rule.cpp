#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "batchscope/stats/descriptive.hpp"
#include "rules/rule.hpp"
#include "series/block_history.hpp"

namespace batchscope::training {
namespace {

constexpr std::size_t kLossBlockSteps = 32, kFewestLossBlocks = 8, kNow = 3;
constexpr double kGrown = 0.25, kNoises = 6, kRoundings = 2;
constexpr std::size_t kFewestFlatSteps = 2000;
constexpr double kFlat = 0.005;
constexpr const char *kGrows = "loss-diverging", *kStays = "loss-flat";

constexpr findings::Metric kLossGrowth{
    "loss_growth", "How far the loss is above its minimum; both are medians over many steps.", ""};

constexpr auto kDiverging =
    Row("training.loss-diverging", "The loss grows",
        "The median loss over many steps is above its minimum three times in a row: by a quarter, "
        "and by six times the noise.",
        "Go back to a checkpoint from before the rise, with a lower learning rate.", "medium",
        metrics(&kLossGrowth));

constexpr auto kFlatLoss =
    Row("training.loss-flat", "The loss no longer falls",
        Prose("Over the last half of all steps (at least {}), a line through the loss falls by "
              "less than {%}, and the loss does not grow. A finished training measures the same. "
              "The start is the first step whose loss is within {%} of the current one.",
              kFewestFlatSteps, kFlat, kFlat),
        "Stop the training, or change the learning rate.", "info");

double noise_of(std::span<const BlockHistory::Block> blocks) {
  std::vector<double> steps;
  for (std::size_t i = 1; i < blocks.size(); ++i) {
    steps.push_back(blocks[i].value - blocks[i - 1].value);
  }
  return stats::robust_std(steps) / std::sqrt(2);
}

std::vector<double> values_of(std::span<const BlockHistory::Block> blocks) {
  std::vector<double> values;
  for (const auto& block : blocks) values.push_back(block.value);
  return values;
}

// The least distance of two that differ: of losses that are told with a few digits only.
double rounding_of(std::span<const BlockHistory::Block> blocks) {
  std::vector<double> values = values_of(blocks);
  std::ranges::sort(values);
  double least = 0;
  for (std::size_t i = 1; i < values.size(); ++i) {
    const double apart = values[i] - values[i - 1];
    if (apart > 0 && (least == 0 || apart < least)) least = apart;
  }
  return least;
}

// As far as is known at least.
double least_fall(std::span<const BlockHistory::Block> blocks) {
  const Trend trend = trend_of(blocks);
  return -trend.change - 2 * trend.error;
}

// Nor does it rise, or did it fall first, and rise again.
bool is_flat(std::span<const BlockHistory::Block> blocks, double most_share) {
  const Trend trend = trend_of(blocks);
  const double most = most_share * std::abs(blocks.front().value);
  const double least_rise = trend.change - 2 * trend.error;
  return -trend.change + 2 * trend.error <= most && least_rise <= most &&
         least_fall(blocks.first(blocks.size() / 2)) <= most;
}

// The part up to now in which it does not fall: the later half, and what lies at its level before
// that. Empty: it falls.
std::span<const BlockHistory::Block> flat_part(std::span<const BlockHistory::Block> blocks,
                                               double most_share) {
  constexpr double kErrorsOfLevel = 2;
  std::size_t begin = blocks.size() - blocks.size() / 2;
  if (!is_flat(blocks.subspan(begin), most_share)) return {};
  const std::vector<double> values = values_of(blocks);
  const auto half = std::span(values).subspan(begin);
  const double level = stats::mean(half);
  const double most = kFlat * std::abs(level) + kErrorsOfLevel * noise_of(blocks.subspan(begin)) /
                                                    std::sqrt(static_cast<double>(kNow));
  const auto is_level = [&](std::size_t at) {
    return std::abs(stats::mean(std::span(values).subspan(at, kNow)) - level) <= most;
  };
  while (begin > 0 && is_level(begin - 1)) --begin;
  return blocks.subspan(begin);
}

class LossTrendRule : public Rule {
 public:
  bool judges_times() const override { return false; }
  void see(const telemetry::TrainingStep& step, RuleContext& scene) override {
    if (!step.loss || !std::isfinite(*step.loss)) return;
    if (!history_.add(step.step, *step.loss) || history_.blocks().size() < kFewestLossBlocks)
      return;
    judge_growth(scene);
    judge_flatness(scene);
  }

  void restart(RuleContext& scene) override {
    history_.clear();
    scene.tracker.end(scene.key(kGrows), scene.window.last().time_ns);
    scene.tracker.end(scene.key(kStays), scene.window.last().time_ns);
  }

 private:
  void judge_growth(RuleContext& scene) {
    const auto blocks = history_.blocks();
    const auto best = std::min_element(blocks.begin(), blocks.end(),
                                       [](auto& a, auto& b) { return a.value < b.value; });
    const double rise = std::max({kGrown * std::abs(best->value), kNoises * noise_of(blocks),
                                  kRoundings * rounding_of(blocks)});
    const auto now = blocks.last(kNow);
    const std::string key = scene.key(kGrows);
    // What stands needs less to go on: at the threshold it would come and go.
    const double least = best->value + (scene.tracker.is_active(key) ? rise / 2 : rise);
    const bool holds =
        std::all_of(now.begin(), now.end(), [&](const auto& block) { return block.value > least; });
    if (!holds) return scene.tracker.end(key, scene.window.last().time_ns);
    auto finding = scene.finding(kDiverging, findings::Severity::medium);
    finding.what =
        fmt::format("The loss grows: about {:.3g} now, after a minimum of {:.3g} near step {}",
                    blocks.back().value, best->value, best->first_step);
    finding.fix = "go back to a checkpoint from before the rise, with a lower learning rate";
    finding.evidence = {evidence_of(kLossGrowth, blocks.back().value - best->value)};
    scene.tracker.raise(key, std::move(finding), scene.window.last().time_ns);
  }

  void judge_flatness(RuleContext& scene) {
    const auto blocks = history_.blocks();
    const std::size_t half = blocks.size() / 2;
    if (half < kFewestLossBlocks || half * history_.values_in_block() < kFewestFlatSteps) return;
    const std::string key = scene.key(kStays);
    // What stands may fall a little more: at the threshold it would come and go.
    const auto flat = flat_part(blocks, scene.tracker.is_active(key) ? 2 * kFlat : kFlat);
    if (flat.empty() || scene.tracker.is_active(scene.key(kGrows)))
      return scene.tracker.end(key, scene.window.last().time_ns);
    auto finding = scene.finding(kFlatLoss, findings::Severity::info);
    finding.what = fmt::format("The loss has not fallen since about step {}; it is {:.4g}",
                               flat.front().first_step, flat.back().value);
    finding.fix = "stop the training, or change the learning rate";
    scene.tracker.raise(key, std::move(finding), scene.window.last().time_ns);
  }

  BlockHistory history_{kLossBlockSteps};
};

}  // namespace

RuleRow loss_trend_rule() {
  return {[]() -> std::unique_ptr<Rule> { return std::make_unique<LossTrendRule>(); },
          {&kDiverging, &kFlatLoss}};
}

}  // namespace batchscope::training
