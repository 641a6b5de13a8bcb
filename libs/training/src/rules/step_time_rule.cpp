#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <iterator>
#include <vector>

#include "batchscope/findings/catalogue.hpp"
#include "batchscope/findings/training_metrics.hpp"
#include "batchscope/findings/wording.hpp"
#include "batchscope/stats/change_points.hpp"
#include "rules/change_evidence.hpp"
#include "rules/rule.hpp"
#include "rules/step_change.hpp"
#include "series/block_history.hpp"

namespace batchscope::training {
namespace {

constexpr int64_t kChangeEvery = 32;
constexpr std::size_t kChangeSteps = 600, kFewestChangeSteps = 48;
// A new level ends a finding where it is nearer to the old one than this share of the change.
constexpr double kBack = 0.3;
// Of the least change that is told: what its interval has to exceed.
constexpr double kSurely = 0.75;
// By so many noise variances a step has to fit better than a slope.
constexpr double kClearly = 4;
constexpr int64_t kSamePlace = 8;  // steps between two places of one change
constexpr std::size_t kMostPlaces = 64, kMostTold = 16, kLatest = 48;
constexpr int64_t kBatchesToldFor = 512;
constexpr std::size_t kTimeBlockSteps = 16, kFewestTimeBlocks = 16;
constexpr double kErrors = 5;
constexpr const char* kSlowing = "slowing";

struct Place {
  int64_t first = 0, last = 0;  // indices of steps
  std::string key;              // of the finding; empty: none
  stats::Interval size{};       // that was told, of the logarithm of seconds
  double steps = 0;             // that it is known by
};

struct Told {
  std::string key;
  int64_t since = 0;  // index of the first step that counts as after it
  StepLevel before;
  double size = 0, scatter = 0;  // of the logarithm of seconds, since then
  int64_t step = 0;              // its number
};

bool is_at(const Place& place, const stats::ChangePoint& change, std::span<const StepFact> facts) {
  return place.first <= facts[change.last].index && facts[change.first].index <= place.last;
}

struct Seen {
  std::span<const StepFact> facts;
  std::span<const double> values;  // their logarithms of seconds
  std::span<const stats::ChangePoint> changes;
};

double least_of(const Scene& scene) {
  return std::log1p(scene.options.least_change);
}

class StepTimeRule : public Rule {
 public:
  void see(const telemetry::TrainingStep& step, Scene& scene) override {
    const StepFact& fact = scene.window.last();
    if (fact.index < kStartUpSteps) return;
    if (history_.add(step.step, std::log(step.seconds))) judge_slope(scene);
    if (fact.index % kChangeEvery == 0) judge_changes(scene);
  }

  void restart(Scene& scene) override {
    for (const Told& told : told_) end(told.key, scene);
    for (const Place& batch : batches_) end(batch.key, scene);
    told_.clear();
    batches_.clear();
    places_.clear();
    history_.clear();
    changes_passed_ = slopes_passed_ = 0;
  }

 private:
  static void end(const std::string& key, const Scene& scene) {
    scene.standings.end(key, scene.window.last().time_ns);
  }

  void judge_changes(Scene& scene) {
    const auto& all = scene.window.facts();
    std::vector<StepFact> facts;
    std::vector<double> values;
    for (std::size_t i = all.size() - std::min(kChangeSteps, all.size()); i < all.size(); ++i) {
      if (all[i].index < kStartUpSteps) continue;
      facts.push_back(all[i]);
      values.push_back(std::log(all[i].seconds));
    }
    if (values.size() < kFewestChangeSteps) return;
    std::vector<stats::ChangePoint> changes;
    if (may_have_changed(values, scene.options.least_change)) {
      changes = stats::change_points(values);
    }
    for (const stats::ChangePoint& change : changes) {
      if (values.size() - change.index < kFewestAfter) continue;
      judge_change({facts, values, changes}, change, scene);
    }
    withdraw_replaced(facts, changes, scene);
    const std::size_t begin = changes.empty() ? 0 : changes.back().index;
    end_where_back(std::span(facts).subspan(begin), std::span(values).subspan(begin),
                   !changes.empty(), scene);
  }

  void judge_change(const Seen& seen, const stats::ChangePoint& change, Scene& scene) {
    const auto& facts = seen.facts;
    const StepChange at = step_change(facts, change);
    const double size = change.after - change.before;
    Place place{at.first.index - kSamePlace, at.last.index + kSamePlace, "", change.size,
                steps_of(change)};
    const auto known =
        std::ranges::find_if(places_, [&](const Place& one) { return is_at(one, change, facts); });
    if (known != places_.end()) {
      // While the change leaves the window, less and less is known of what was before it.
      // Of two close to each other, either may be it.
      const bool is_same =
          (change.size.low <= known->size.high && change.size.high >= known->size.low) ||
          std::ranges::count_if(seen.changes,
                                [&](const auto& each) { return is_at(*known, each, facts); }) == 1;
      const bool better = is_same && steps_of(change) > known->steps;
      if (better && scene.standings.stands(known->key)) tell_better(at, *known, scene);
      return;
    }
    // Little by little is told by its own finding; its stairs are none.
    const double least = least_of(scene) * (scene.standings.stands(scene.key(kSlowing)) ? 2 : 1);
    const bool is_large =
        std::abs(size) >= least && std::abs(size) - change.size.half_width() >= kSurely * least;
    if (at.has_other_batches()) {
      tell_batches(at, scene);
    } else if (change.better_than_line < kClearly || !is_large ||
               !is_plain_change(seen.values, change)) {
      return;
    } else if (size > 0) {
      place.key = scene.key(fmt::format("regression:{}", at.at.index));
      tell(place.key, at, scene);
    } else {
      place.key = tell_part_back(at, scene);
    }
    restart_history(facts, change.index, size > 0, scene);
    places_.push_back(std::move(place));
    if (places_.size() > kMostPlaces) places_.pop_front();
  }

  // Found with few steps after it, at a place where those of this window show no change, but beside
  // it one that is told, too.
  void withdraw_replaced(std::span<const StepFact> facts,
                         std::span<const stats::ChangePoint> changes, Scene& scene) {
    const auto is_told = [&](const stats::ChangePoint& change) {
      return std::ranges::any_of(places_, [&](const Place& one) {
        return is_at(one, change, facts) && scene.standings.stands(one.key);
      });
    };
    std::erase_if(told_, [&](const Told& told) {
      const auto place = std::ranges::find(places_, told.key, &Place::key);
      if (place == places_.end()) return false;
      const auto index = static_cast<int64_t>(kFewestChangeSteps);
      const bool is_inside =
          place->first >= facts.front().index + index && place->last + index <= facts.back().index;
      if (!is_inside || std::ranges::any_of(changes, [&](const auto& each) {
            return is_at(*place, each, facts);
          })) {
        return false;
      }
      const auto next = std::ranges::find_if(
          changes, [&](const auto& each) { return facts[each.index].index > told.since; });
      const bool is_replaced = (next != changes.begin() && is_told(*std::prev(next))) ||
                               (next != changes.end() && is_told(*next));
      if (!is_replaced) return false;
      scene.standings.withdraw(told.key, scene.window.last().time_ns);
      places_.erase(place);
      // What it was added to is told anew.
      for (Place& other : places_) other.steps = 0;
      return true;
    });
  }

  // Of the first that stands and is neither as large as it was nor over: the key of what is told in
  // its place; empty: there is none.
  std::string tell_part_back(const StepChange& at, Scene& scene) {
    constexpr double kAsBefore = 0.7;
    const double least = least_of(scene), half_width = at.change.size.half_width();
    const auto part = std::ranges::find_if(told_, [&](const Told& told) {
      const double rest = at.change.after - told.before.mean;
      const bool is_over = rest <= kBack * told.size && rest - half_width < kSurely * least;
      return told.key != scene.key(kSlowing) && told.since < at.at.index && rest >= least &&
             rest < kAsBefore * told.size && !is_over;
    });
    if (part == told_.end()) return "";
    const Told before = *part;
    told_.erase(part);
    scene.standings.end(before.key, at.at.time_ns);
    std::string key = scene.key(fmt::format("regression:{}", at.at.index));
    tell_rest(key, before, at, scene);
    return key;
  }

  void tell_rest(const std::string& key, const Told& of, const StepChange& at, Scene& scene) {
    scene.standings.raise(key, still_slower(at, of.step, of.before, scene), at.at.time_ns);
    remember({key, at.at.index, of.before, at.change.after - of.before.mean,
              std::sqrt(at.change.variance_after), of.step},
             scene);
  }

  // Known better: it may be less than what is told at all.
  void tell_better(const StepChange& at, Place& known, Scene& scene) {
    const stats::ChangePoint& change = at.change;
    known.size = change.size;
    known.steps = steps_of(change);
    const auto told = std::ranges::find(told_, known.key, &Told::key);
    if (told == told_.end()) return;
    const Told before = *told;
    told_.erase(told);
    const bool is_part = change.after < change.before;
    if (change.after - (is_part ? before.before.mean : change.before) < least_of(scene)) {
      return scene.standings.withdraw(known.key, scene.window.last().time_ns);
    }
    is_part ? tell_rest(known.key, before, at, scene) : tell(known.key, at, scene);
  }

  void tell(const std::string& key, const StepChange& at, Scene& scene) {
    const stats::ChangePoint& change = at.change;
    scene.standings.raise(key,
                          less_if_often(with_earlier(slower_steps(at, scene), at), changes_passed_),
                          at.at.time_ns);
    remember({key, at.at.index, level_before(change), change.after - change.before,
              std::sqrt(change.variance_after), at.at.step},
             scene);
  }

  // Several that stand add up.
  findings::Finding with_earlier(findings::Finding finding, const StepChange& at) const {
    const auto first = std::ranges::min_element(told_, {}, &Told::since);
    if (first == told_.end() || first->since >= at.at.index) return finding;
    const double longer = excess_of(level_after(at.change), first->before);
    finding.severity = std::max(finding.severity, findings::severity_of_excess(longer));
    finding.what += fmt::format("; they take {} longer than before step {}",
                                findings::percent(longer), first->step);
    return finding;
  }

  // What comes and goes is no news each time: samples that are sorted by length, a neighbour.
  static findings::Finding less_if_often(findings::Finding finding, int times) {
    constexpr int kOften = 2;
    if (times < kOften) return finding;
    finding.severity = std::min(finding.severity, findings::Severity::low);
    finding.what += fmt::format("; it came and went {} times before", times);
    return finding;
  }

  void tell_batches(const StepChange& at, Scene& scene) {
    // With other batches, what was told of the time of a step says nothing any more.
    for (const Told& told : told_) end(told.key, scene);
    told_.clear();
    batches_.push_back({at.at.index, 0, scene.key(fmt::format("batches:{}", at.at.index))});
    scene.standings.raise(batches_.back().key, other_batches(at, scene), at.at.time_ns);
  }

  void remember(Told told, Scene& scene) {
    told_.push_back(std::move(told));
    if (told_.size() <= kMostTold) return;
    end(told_.front().key, scene);
    told_.erase(told_.begin());
  }

  // What became slower little by little is so still where a change makes it slower yet.
  void restart_history(std::span<const StepFact> facts, std::size_t index, bool is_slower,
                       Scene& scene) {
    std::erase_if(told_, [&](const Told& told) {
      if (is_slower || told.key != scene.key(kSlowing)) return false;
      end(told.key, scene);
      return true;
    });
    history_.clear();
    for (std::size_t i = index; i < facts.size(); ++i) {
      history_.add(facts[i].step, std::log(facts[i].seconds));
    }
  }

  // A mean, because it may be a part of the steps that takes longer; outliers count less.
  static double level_of(std::span<const double> values, const Told& told) {
    constexpr double kMost = 1.5, kScatters = 3;
    const double scatter = kScatters * told.scatter, before = told.before.mean;
    const double least = before - std::max(told.size, scatter),
                 most = before + std::max(kMost * told.size, told.size + scatter);
    double sum = 0;
    for (const double value : values) sum += std::clamp(value, least, most);
    return sum / static_cast<double>(values.size());
  }

  // Of steps since the last change. Those before a finding's own are left out: where the change is
  // not seen in this window, they hide it.
  void end_where_back(std::span<const StepFact> facts, std::span<const double> values,
                      bool since_change, Scene& scene) {
    std::erase_if(told_, [&](const Told& told) {
      const auto first = std::find_if(facts.begin(), facts.end(), [&](const StepFact& fact) {
        return fact.index >= told.since;
      });
      auto after = values.subspan(static_cast<std::size_t>(first - facts.begin()));
      if (after.size() < kFewestAfter) return false;
      // What grew little by little may fall back at once, and grow again.
      const bool grew = told.key == scene.key(kSlowing);
      if (grew) after = after.last(std::min(after.size(), kLatest));
      if (level_of(after, told) > told.before.mean + kBack * told.size) return false;
      // Where they became as before, if that is seen.
      const bool is_seen = since_change && facts.front().index > told.since;
      const StepFact& until = is_seen ? facts.front() : scene.window.last();
      scene.standings.end(told.key, until.time_ns);
      if (grew) history_.clear();
      ++(grew ? slopes_passed_ : changes_passed_);
      return true;
    });
    std::erase_if(batches_, [&](const Place& batch) {
      if (scene.window.last().index - batch.first < kBatchesToldFor) return false;
      end(batch.key, scene);
      return true;
    });
  }

  void judge_slope(Scene& scene) {
    const auto blocks = history_.blocks();
    const std::string key = scene.key(kSlowing);
    if (blocks.size() < kFewestTimeBlocks) return;
    Trend trend = slope_of(blocks);
    if (trend.change < std::log1p(scene.options.least_change)) return;
    if (trend.change < kErrors * trend.error || trend.squares > trend.step_squares) return;
    // What goes on after changes in between is told as a whole.
    if (const auto told = std::ranges::find(told_, key, &Told::key); told != told_.end()) {
      trend.change += trend.first - told->before.mean;
      trend.first = told->before.mean;
      trend.from_step = told->step;
      if (trend.change <= told->size) return;
    }
    withdraw_stairs(trend.change, scene);
    tell_slope(trend, scene);
  }

  // Of what rises all the time, the first steps look like a change.
  void withdraw_stairs(double rise, Scene& scene) {
    constexpr double kSmall = 1.0 / 3;
    std::erase_if(told_, [&](const Told& told) {
      if (told.key == scene.key(kSlowing) || told.size > kSmall * rise) return false;
      scene.standings.withdraw(told.key, scene.window.last().time_ns);
      return true;
    });
  }

  void tell_slope(const Trend& trend, Scene& scene) {
    const std::string key = scene.key(kSlowing);
    const double longer = std::expm1(trend.change);
    const stats::Interval interval{std::expm1(trend.change - 2 * trend.error),
                                   std::expm1(trend.change + 2 * trend.error)};
    auto finding = scene.finding("training.slowing", findings::severity_of_excess(longer));
    finding.what = fmt::format(
        "Steps became slower little by little: {} longer{} at step {} than at step {}",
        findings::percent(longer), findings::in_interval(interval), trend.to_step, trend.from_step);
    finding.fix =
        "look at what grows: memory, caches, the length of samples, the temperature of the GPU";
    finding.evidence = {evidence_of(findings::metric::kStepsLonger, {longer, interval})};
    scene.standings.raise(key, less_if_often(std::move(finding), slopes_passed_),
                          scene.window.last().time_ns);
    const auto told = std::ranges::find(told_, key, &Told::key);
    if (told != told_.end()) {
      told->size = trend.change;
    } else {
      remember({key, scene.window.last().index, {trend.first, 0}, trend.change, 0, trend.from_step},
               scene);
    }
  }

  std::deque<Place> places_;    // of changes that were judged
  std::vector<Told> told_;      // what stands of slower steps
  std::vector<Place> batches_;  // since when batches are others
  // Told, and after which steps became as before.
  int changes_passed_ = 0, slopes_passed_ = 0;
  BlockHistory history_{kTimeBlockSteps};
};

}  // namespace

std::unique_ptr<Rule> step_time_rule() {
  return std::make_unique<StepTimeRule>();
}

}  // namespace batchscope::training
