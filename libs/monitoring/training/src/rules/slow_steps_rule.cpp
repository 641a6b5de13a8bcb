#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "batchscope/stats/descriptive.hpp"
#include "rules/rhythm.hpp"
#include "rules/rule.hpp"
#include "rules/slow_words.hpp"

namespace batchscope::training {
namespace {

constexpr std::size_t kLevelSteps = 64, kFewestForLevel = 32, kFewestForFarOut = 8, kMostSlow = 128;
constexpr int64_t kSlowEvery = 16;
constexpr double kIrregularGone = 0.02;
constexpr std::size_t kFewestIrregular = 5, kMostRhythms = 3;
// Kernels are compiled in those before it, whatever they take.
constexpr int64_t kFirst = 3;
constexpr const char* kScattered = "slow-steps";
constexpr double kFarOut = 10;  // typical steps that one takes more
// So many slow ones in a row are a new level.
constexpr std::size_t kRun = 6, kFarOutRun = 16;
constexpr std::size_t kMostBefore = 256;

struct Level {
  double seconds = 0, most = 0;
  double wait = 0, batch = 0;  // of a typical step; 0: not told
};

class SlowStepsRule : public Rule {
 public:
  void see(const telemetry::TrainingStep&, RuleContext& scene) override {
    const auto& facts = scene.window.facts();
    const StepFact& fact = facts.back();
    all_seconds_ += fact.full_seconds;
    const bool is_first = facts.size() == kFewestForFarOut || facts.size() == kFewestForLevel;
    if (fact.index % kSlowEvery == 0 || is_first || !level_) level_ = level_of(scene.window);
    if (!level_) return;
    if (is_first) slow_.clear();
    for (std::size_t i = is_first ? 0 : facts.size() - 1; i < facts.size(); ++i) note(facts[i]);
    const bool is_new = !slow_.empty() && slow_.back().index == fact.index;
    const bool is_far_out = is_new && slow_.back().is_far_out();
    if (fact.index % kSlowEvery == 0 || is_first || is_far_out) judge(scene);
  }

  void restart(RuleContext& scene) override {
    slow_.clear();
    level_.reset();
    all_seconds_ = 0;
    for (const Reported& reported : reported_) end(reported.key, scene);
    reported_.clear();
    before_.clear();
    are_many_ = were_many_ = false;
    end(scene.key(kScattered), scene);
  }

 private:
  struct Reported {
    std::string key;
    Rhythm rhythm;
  };

  void note(const StepFact& fact) {
    if (fact.before < kFirst || fact.seconds <= level_->most) return;
    SlowStep slow = slow_step(fact);
    if (fact.before < kStartUpSteps && !slow.is_far_out()) return;
    slow.is_long = is_long(slow.extra_seconds);
    slow_.push_back(slow);
    if (slow_.size() > kMostSlow) forget_one();
    drop_run();
  }

  SlowStep slow_step(const StepFact& fact) const {
    SlowStep slow{fact.index, fact.seconds - level_->seconds};
    slow.step = fact.step;
    slow.typical_seconds = level_->seconds;
    slow.waited_seconds =
        std::clamp(fact.loading_seconds.value_or(0) - level_->wait, 0.0, slow.extra_seconds);
    if (fact.batch_size && level_->batch > 0) {
      slow.size = static_cast<double>(*fact.batch_size) / level_->batch;
    }
    slow.first_of_size = fact.first_of_size;
    slow.full_extra_seconds =
        std::max(slow.extra_seconds,
                 fact.full_seconds - static_cast<double>(fact.replaces) * level_->seconds);
    return slow;
  }

  // Of the rhythm that was told as it is now, or a little off, or with some left out; else new.
  std::string take_key(const Rhythm& rhythm, const RuleContext& scene) {
    const auto same = std::ranges::find_if(
        reported_, [&](const Reported& reported) { return are_the_same(reported.rhythm, rhythm); });
    if (same == reported_.end()) return scene.key(fmt::format("periodic:{}", ++rhythms_));
    std::string key = std::move(same->key);
    reported_.erase(same);
    return key;
  }

  static std::optional<Level> level_of(const StepWindow& window) {
    const auto seconds = window.seconds(kLevelSteps);
    if (seconds.size() < kFewestForFarOut) return std::nullopt;
    Level level{stats::median(seconds), stats::robust_std(seconds)};
    if (level.most > kLeastExtra * level.seconds) level = level_of_half(seconds, level);
    level.most = level.seconds + std::max(kLeastExtra * level.seconds, kDeviations * level.most);
    // Of a few only what is far out is known.
    if (seconds.size() < kFewestForLevel) level.most = std::max(level.most, 2 * level.seconds);
    const auto& facts = window.facts();
    const std::vector<StepFact> late(facts.end() - static_cast<std::ptrdiff_t>(seconds.size()),
                                     facts.end());
    level.batch = median_batch(late).value_or(0);
    std::vector<double> waits;
    for (const StepFact& fact : late) waits.push_back(fact.loading_seconds.value_or(0));
    level.wait = stats::median(waits);
    return level;
  }

  // Where every other step is slow, the median says nothing: by the faster half, as of normal
  // noise. `most` is the spread here.
  static Level level_of_half(const std::vector<double>& seconds, const Level& of_all) {
    constexpr double kUpper = 0.4, kLower = 0.2, kApart = 0.588, kMuchLess = 0.1;
    const double high = stats::quantile(seconds, kUpper);
    const double spread = (high - stats::quantile(seconds, kLower)) / kApart;
    return spread < kMuchLess * of_all.most ? Level{high, spread} : of_all;
  }

  static void end(const std::string& key, const RuleContext& scene) {
    scene.tracker.end(key, scene.window.last().time_ns);
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
    const auto late = std::span(slow_).last(run);
    const bool are_far_out =
        std::ranges::all_of(late, [](const SlowStep& one) { return one.times() > kFarOut; });
    if (run >= (are_far_out ? kFarOutRun : kRun)) slow_.resize(slow_.size() - run);
  }

  void judge(RuleContext& scene) {
    const int64_t now_ns = scene.window.last().time_ns;
    const Rhythms rhythms = rhythms_of(slow_, scene.window.last().index, kMostRhythms);
    std::vector<Reported> reported;
    const int64_t stride = stride_of(scene.window);
    for (const Rhythm& rhythm : rhythms.found) {
      const double share = share_of(rhythm, rhythms, stride);
      if (share < kLeastRhythm) continue;
      reported.push_back({take_key(rhythm, scene), rhythm});
      const bool loading_is_reported = scene.window.last().loading_seconds.has_value();
      scene.tracker.raise(
          reported.back().key,
          in_rhythm({rhythm, rhythm.period * stride, level_->seconds, share, loading_is_reported},
                    scene),
          now_ns);
    }
    for (const Reported& gone : reported_) end(gone.key, scene);
    reported_ = std::move(reported);
    const bool is_full = slow_.size() >= kMostSlow && rhythms.found.empty();
    judge_irregular(is_full ? all_slow(scene.window) : rhythms.others, scene);
  }

  // More than are kept.
  std::vector<SlowStep> all_slow(const StepWindow& window) const {
    std::vector<SlowStep> slow;
    for (const StepFact& fact : window.facts()) {
      if (fact.before >= kStartUpSteps && fact.seconds > level_->most)
        slow.push_back(slow_step(fact));
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

  void judge_irregular(std::span<const SlowStep> slow, RuleContext& scene) {
    const int64_t since = scene.window.last().index - kLookBack;
    const auto first =
        std::ranges::find_if(slow, [&](const SlowStep& one) { return one.index > since; });
    std::vector<SlowStep> late(first, slow.end());
    const bool is_active = scene.tracker.is_active(scene.key(kScattered));
    are_many_ = late.size() >= kFewestIrregular && (are_many_ || !may_be_a_rhythm(slow));
    were_many_ = are_many_ || (is_active && were_many_);
    // Of few those that are far out.
    if (!were_many_) std::erase_if(late, [](const auto& one) { return !one.is_far_out(); });
    const double share = share_of(late, since, scene.window);
    if (late.empty() || share < least_share(is_active)) {
      are_many_ = false;
      return end_irregular(late.empty() && !were_many_, scene);
    }
    tell_irregular(late, share, scene);
  }

  // Of the time of all steps since then.
  static double share_of(std::span<const SlowStep> late, int64_t since, const StepWindow& window) {
    double extra = 0, all = 0;
    for (const SlowStep& one : late) extra += one.full_extra_seconds;
    for (const StepFact& fact : window.facts()) {
      if (fact.index > since && fact.before >= kFirst) all += fact.full_seconds;
    }
    return extra / all;
  }

  static int64_t steps_since(int64_t since, const StepWindow& window) {
    int64_t steps = 0;
    for (const StepFact& fact : window.facts()) {
      if (fact.index > since && fact.before >= kFirst) steps += fact.replaces;
    }
    return steps;
  }

  // Of few each is told for as long as it is one of the last.
  double least_share(bool is_active) const {
    if (were_many_) return is_active ? kIrregularGone : kIrregular;
    return is_active ? 0 : kFewFarOut;
  }

  void tell_irregular(std::span<const SlowStep> late, double share, RuleContext& scene) {
    const auto is_before = [&](int64_t step) { return step < late.front().step; };
    const std::size_t before = static_cast<std::size_t>(std::ranges::count_if(before_, is_before));
    const int64_t since = scene.window.last().index - kLookBack;
    double extra = 0;
    for (const SlowStep& one : late) extra += one.full_extra_seconds;
    const IrregularReported reported{late,
                                     share,
                                     steps_since(since, scene.window),
                                     extra / all_seconds_,
                                     are_many_,
                                     std::span(before_).first(before)};
    const auto finding = without_rhythm(reported, scene);
    const std::string key = scene.key(kScattered);
    const int64_t now_ns = scene.window.last().time_ns;
    // Of few all are named, however little the time of those that come takes away from them.
    were_many_ ? scene.tracker.raise_worst(key, finding, now_ns)
               : scene.tracker.raise(key, finding, now_ns);
    for (const SlowStep& one : late) {
      if (before_.empty() || before_.back() < one.step) before_.push_back(one.step);
    }
    if (before_.size() > kMostBefore) before_.erase(before_.begin());
  }

  // What was told of the first of a rhythm was nothing.
  void end_irregular(bool may_be_explained, RuleContext& scene) {
    if (!may_be_explained || reported_.empty()) return end(scene.key(kScattered), scene);
    scene.tracker.withdraw(scene.key(kScattered), scene.window.last().time_ns);
    before_.clear();
  }

  std::optional<Level> level_;
  double all_seconds_ = 0;  // of all steps
  std::vector<SlowStep> slow_;
  std::vector<Reported> reported_;  // that stands
  int64_t rhythms_ = 0;             // ever told
  bool were_many_ = false;          // since they stand
  bool are_many_ = false;           // those without a rhythm: more than may be the first of one
  std::vector<int64_t> before_;     // numbers of those without a rhythm that were told
};

}  // namespace

RuleRow slow_steps_rule() {
  return {[]() -> std::unique_ptr<Rule> { return std::make_unique<SlowStepsRule>(); },
          {&kPeriodic, &kSlowSteps}};
}

}  // namespace batchscope::training
