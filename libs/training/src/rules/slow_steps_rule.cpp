#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "batchscope/base/units.hpp"
#include "batchscope/findings/catalogue.hpp"
#include "batchscope/findings/training_metrics.hpp"
#include "batchscope/findings/wording.hpp"
#include "batchscope/stats/descriptive.hpp"
#include "rules/rhythm.hpp"
#include "rules/rule.hpp"

namespace batchscope::training {
namespace {

constexpr std::size_t kLevelSteps = 64, kFewestForLevel = 32, kMostSlow = 128;
constexpr int64_t kSlowEvery = 16, kLookBack = 1000;
constexpr double kLeastExtra = 0.25, kDeviations = 6;
constexpr double kIrregular = 0.03, kIrregularGone = 0.02, kFewIrregular = 0.10;
constexpr std::size_t kFewestIrregular = 5, kMostRhythms = 3;
constexpr double kLeastRhythm = 0.01;  // of the time
constexpr const char* kScattered = "slow-steps";
constexpr int64_t kRun = 6;  // so many slow ones in a row are a new level

// Of few steps it may be the optimizer, after batches whose gradients are summed up.
findings::Severity severity_of_rhythm(int64_t period, double share) {
  constexpr int64_t kLongestAccumulation = 64;
  if (share <= 0.03) return findings::Severity::info;
  const bool may_be_optimizer = period <= kLongestAccumulation;
  return share > 0.15 && !may_be_optimizer ? findings::Severity::medium : findings::Severity::low;
}

struct Level {
  double seconds = 0, most = 0;
};

class SlowStepsRule : public Rule {
 public:
  void see(const telemetry::TrainingStep& step, Scene& scene) override {
    const StepFact& fact = scene.window.last();
    if (fact.index < kStartUpSteps) return;
    if (fact.index % kSlowEvery == 0 || !level_) level_ = level_of(scene.window);
    if (!level_) return;
    if (step.seconds > level_->most) {
      const double extra = step.seconds - level_->seconds;
      slow_.push_back({fact.index, extra, is_long(extra)});
      if (slow_.size() > kMostSlow) forget_one();
      drop_run();
    }
    if (fact.index % kSlowEvery == 0) judge(scene);
  }

  void restart(Scene& scene) override {
    slow_.clear();
    level_.reset();
    for (const Told& told : told_) end(told.key, scene);
    told_.clear();
    are_many_ = false;
    end(scene.key(kScattered), scene);
  }

 private:
  struct Told {
    std::string key;
    Rhythm rhythm;
  };

  // Of the rhythm that was told as it is now, or a little off, or with some left out; else new.
  std::string take_key(const Rhythm& rhythm, const Scene& scene) {
    const auto same = std::ranges::find_if(
        told_, [&](const Told& told) { return are_the_same(told.rhythm, rhythm); });
    if (same == told_.end()) return scene.key(fmt::format("periodic:{}", ++rhythms_));
    std::string key = std::move(same->key);
    told_.erase(same);
    return key;
  }

  static std::optional<Level> level_of(const StepWindow& window) {
    const auto seconds = window.seconds(kLevelSteps);
    if (seconds.size() < kFewestForLevel) return std::nullopt;
    const double typical = stats::median(seconds);
    return Level{typical, typical + std::max(kLeastExtra * typical,
                                             kDeviations * stats::robust_std(seconds))};
  }

  static void end(const std::string& key, const Scene& scene) {
    scene.standings.end(key, scene.window.last().time_ns);
  }

  // Than those that are not: a rhythm of long ones may be a slow one.
  bool is_long(double extra_seconds) const {
    constexpr double kClearlyLonger = 4;
    constexpr std::size_t kFewest = 8;
    std::vector<SlowStep> usual;
    std::ranges::copy_if(slow_, std::back_inserter(usual), std::not_fn(&SlowStep::is_long));
    return usual.size() >= kFewest && extra_seconds > kClearlyLonger * typical_extra_seconds(usual);
  }

  // The oldest, of long ones where they take half the room.
  void forget_one() {
    const auto longs = std::ranges::count_if(slow_, &SlowStep::is_long);
    const bool many = longs > static_cast<int64_t>(kMostSlow / 2);
    slow_.erase(std::ranges::find(slow_, many, &SlowStep::is_long));
  }

  void drop_run() {
    std::size_t run = 1;
    while (run < slow_.size() &&
           slow_[slow_.size() - run - 1].index + 1 == slow_[slow_.size() - run].index) {
      ++run;
    }
    if (run >= kRun) slow_.resize(slow_.size() - run);
  }

  void judge(Scene& scene) {
    const int64_t now_ns = scene.window.last().time_ns;
    const Rhythms rhythms = rhythms_of(slow_, scene.window.last().index, kMostRhythms);
    std::vector<Told> told;
    for (const Rhythm& rhythm : rhythms.found) {
      const double share = share_of(rhythm, rhythms, stride_of(scene.window));
      if (share < kLeastRhythm) continue;
      told.push_back({take_key(rhythm, scene), rhythm});
      scene.standings.raise(told.back().key, in_rhythm(rhythm, share, scene), now_ns);
    }
    for (const Told& gone : told_) end(gone.key, scene);
    told_ = std::move(told);
    // What was told of the first of them.
    if (!are_many_ && !told_.empty()) scene.standings.withdraw(scene.key(kScattered), now_ns);
    const bool is_full = slow_.size() >= kMostSlow && rhythms.found.empty();
    judge_irregular(is_full ? all_slow(scene.window) : rhythms.others, scene);
  }

  // More than are kept.
  std::vector<SlowStep> all_slow(const StepWindow& window) const {
    std::vector<SlowStep> slow;
    for (const StepFact& fact : window.facts()) {
      if (fact.index < kStartUpSteps || fact.seconds <= level_->most) continue;
      slow.push_back({fact.index, fact.seconds - level_->seconds});
    }
    return slow;
  }

  // Of the time of all steps, what other rhythms add to it included.
  double share_of(const Rhythm& rhythm, const Rhythms& all, int64_t stride) const {
    const auto a_step = [stride](const Rhythm& one) {
      return one.seconds_a_period / static_cast<double>(one.period * stride);
    };
    double seconds = level_->seconds;
    for (const Rhythm& one : all.found) seconds += a_step(one);
    return a_step(rhythm) / seconds;
  }

  // A loop may tell every tenth step only.
  static int64_t stride_of(const StepWindow& window) {
    constexpr std::size_t kLast = 64;
    const auto& facts = window.facts();
    const std::size_t count = std::min(kLast, facts.size() - 1);
    if (count == 0) return 1;
    const auto made = [&](std::size_t i) { return facts[i].step - facts[i - 1].step; };
    const int64_t last = made(facts.size() - 1);
    std::size_t others = 0;
    for (std::size_t i = facts.size() - count; i < facts.size(); ++i) {
      if (made(i) != last) ++others;
    }
    return last > 0 && 5 * others <= count ? last : 1;
  }

  findings::Finding in_rhythm(const Rhythm& rhythm, double share, const Scene& scene) const {
    const int64_t period = rhythm.period * stride_of(scene.window);
    auto finding = scene.finding("training.periodic-slow-steps", severity_of_rhythm(period, share));
    finding.what = fmt::format(
        "Every {} steps one takes {} longer, {} of the time: as checkpoints, evaluations, logging "
        "and an optimizer after several batches do",
        period, base::format_seconds(rhythm.extra_seconds), findings::percent(share));
    finding.fix = "do it less often, or in the background, where it is not the optimizer";
    finding.evidence = {evidence_of(findings::metric::kSlowStepPeriod, static_cast<double>(period)),
                        evidence_of(findings::metric::kSlowStepCost, share)};
    finding.gain = stats::Interval{0, share};
    finding.gain_unit = findings::kRatioUnit;
    return finding;
  }

  void judge_irregular(std::span<const SlowStep> slow, Scene& scene) {
    const int64_t since = scene.window.last().index - kLookBack;
    const auto first =
        std::ranges::find_if(slow, [&](const SlowStep& one) { return one.index > since; });
    const auto late = slow.subspan(static_cast<std::size_t>(first - slow.begin()));
    double extra = 0, all = 0;
    for (const SlowStep& one : late) extra += one.extra_seconds;
    for (const StepFact& fact : scene.window.facts()) {
      if (fact.index > since && fact.index >= kStartUpSteps) all += fact.seconds;
    }
    const std::string key = scene.key(kScattered);
    const double share = extra / all;
    const bool stands = scene.standings.stands(key);
    are_many_ = late.size() >= kFewestIrregular && (are_many_ || !may_be_a_rhythm(slow));
    const bool is_worth_it = are_many_ || stands || may_hang(late, share, scene);
    if (late.empty() || !is_worth_it || share < (stands ? kIrregularGone : kIrregular)) {
      are_many_ = false;
      return end(key, scene);
    }
    scene.standings.raise_worst(key, without_rhythm(late, share, scene),
                                scene.window.last().time_ns);
  }

  // Of few that are the first of a rhythm nothing is said, but where one is far out of scale.
  bool may_hang(std::span<const SlowStep> slow, double share, const Scene& scene) const {
    constexpr int64_t kFewestSteps = 256;
    if (share < kFewIrregular) return false;
    constexpr double kTimes = 10;
    return scene.window.last().index >= kFewestSteps &&
           std::ranges::any_of(slow, [&](const SlowStep& one) {
             return one.extra_seconds >= kTimes * level_->seconds;
           });
  }

  // Few may be evaluations or checkpoints, or one that hung: nobody can know.
  findings::Finding without_rhythm(std::span<const SlowStep> slow, double share,
                                   const Scene& scene) const {
    constexpr double kMuch = 0.25;
    const auto of_few = share > kMuch ? findings::Severity::low : findings::Severity::info;
    auto finding = scene.finding("training.slow-steps",
                                 are_many_ ? findings::severity_of_excess(share) : of_few);
    const SlowStep& longest = *std::ranges::max_element(slow, {}, &SlowStep::extra_seconds);
    finding.what = fmt::format(
        "{} of the last {} steps took much longer than the others, up to {}{}: {} of the time",
        slow.size(), std::min(kLookBack, scene.window.last().index + 1),
        base::format_seconds(level_->seconds + longest.extra_seconds),
        are_many_ ? ", without a rhythm" : "", findings::percent(share));
    finding.fix = "look at what else ran then: the loader, other programs, the garbage collector";
    if (!are_many_) finding.fix += "; nothing where it evaluated or wrote a checkpoint";
    finding.evidence = {evidence_of(findings::metric::kSlowStepCost, share)};
    finding.gain = stats::Interval{0, share};
    finding.gain_unit = findings::kRatioUnit;
    return finding;
  }

  std::optional<Level> level_;
  std::vector<SlowStep> slow_;
  std::vector<Told> told_;  // that stands
  int64_t rhythms_ = 0;     // ever told
  bool are_many_ = false;   // those without a rhythm: more than may be the first of one
};

}  // namespace

std::unique_ptr<Rule> slow_steps_rule() {
  return std::make_unique<SlowStepsRule>();
}

}  // namespace batchscope::training
