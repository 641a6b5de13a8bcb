#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "batchscope/findings/wording.hpp"
#include "batchscope/stats/change_points.hpp"
#include "rules/change_evidence.hpp"
#include "rules/faster_segments.hpp"
#include "rules/reported_slowdown.hpp"
#include "rules/rule.hpp"
#include "rules/slowing_steps.hpp"
#include "rules/step_change.hpp"

namespace batchscope::training {
namespace {

constexpr int64_t kChangeEvery = 32;
constexpr std::size_t kFewestChangeSteps = 48;
// Of the least change that is told: what its interval has to exceed.
constexpr double kSurely = 0.75;
// By so many noise variances a step has to fit better than a slope.
constexpr double kClearly = 4;
constexpr int64_t kSamePlace = 8;  // steps between two places of one change
constexpr std::size_t kMostPlaces = 64, kMostReported = 16;

struct Position {
  int64_t first = 0, last = 0;  // indices of steps
  std::string key;              // of the finding; empty: none
  stats::Interval size{};       // that was told, of the logarithm of seconds
  double steps = 0;             // that it is known by
};

bool is_at(const Position& place, const stats::ChangePoint& change,
           std::span<const StepFact> facts) {
  return place.first <= facts[change.last].index && facts[change.first].index <= place.last;
}

struct Seen {
  std::span<const StepFact> facts;
  std::span<const double> values;  // their logarithms of seconds
  std::span<const stats::ChangePoint> changes;
};

double least_of(const RuleContext& scene) {
  return std::log1p(scene.options.least_change);
}

class StepTimeRule : public Rule {
 public:
  void see(const telemetry::TrainingStep& step, RuleContext& scene) override {
    const StepFact& fact = scene.window.last();
    if (fact.index < kStartUpSteps) return;
    if (const auto trend = slowing_.add(step, scene)) {
      withdraw_stairs(trend->change, scene);
      slowing_.tell(*trend, scene);
    }
    if (fact.index % kChangeEvery == 0) judge_changes(scene);
  }

  void restart(RuleContext& scene) override {
    end_reported(scene);
    end_as_before(scene);
    slowing_.restart(scene);
    for (const Position& batch : batches_) end(batch.key, scene);
    batches_.clear();
    places_.clear();
    segments_.restart(scene.window.last().index);
    passed_ = 0;
  }

 private:
  static void end(const std::string& key, const RuleContext& scene) {
    scene.tracker.end(key, scene.window.last().time_ns);
  }

  void end_reported(const RuleContext& scene) {
    for (const ReportedSlowdown& reported : reported_) end(reported.key, scene);
    reported_.clear();
  }

  void judge_changes(RuleContext& scene) {
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
    end_where_back(
        {std::span(facts).subspan(begin), std::span(values).subspan(begin), !changes.empty()},
        scene);
  }

  void judge_change(const Seen& seen, const stats::ChangePoint& change, RuleContext& scene) {
    const auto& facts = seen.facts;
    const StepChange at = step_change(facts, change);
    const double size = change.after - change.before;
    Position place{at.first.index - kSamePlace, at.last.index + kSamePlace, "", change.size,
                   steps_of(change)};
    const auto known = std::ranges::find_if(
        places_, [&](const Position& one) { return is_at(one, change, facts); });
    if (known != places_.end()) {
      // While the change leaves the window, less and less is known of what was before it.
      // Of two close to each other, either may be it.
      const bool is_same =
          (change.size.low <= known->size.high && change.size.high >= known->size.low) ||
          std::ranges::count_if(seen.changes,
                                [&](const auto& each) { return is_at(*known, each, facts); }) == 1;
      const bool better = is_same && steps_of(change) > known->steps;
      if (better && scene.tracker.is_active(known->key)) tell_better(at, *known, scene);
      return;
    }
    // Little by little is told by its own finding; its stairs are none.
    const double least = least_of(scene) * (slowing_.reported() ? 2 : 1);
    const bool is_large =
        std::abs(size) >= least && std::abs(size) - change.size.half_width() >= kSurely * least;
    if (at.has_other_batches()) {
      tell_batches(at, scene);
    } else if (change.better_than_line < kClearly || !is_large ||
               !is_plain_change(seen.values, change)) {
      return;
    } else if (size > 0) {
      place.key = tell_slower(at, scene);
    } else {
      end_as_before(scene);
      segments_.fell(at.at.index, at.at.step, change.before);
      place.key = tell_part_back(at, scene);
    }
    slowing_.restart_at_change(facts.subspan(change.index), size > 0, scene);
    places_.push_back(std::move(place));
    if (places_.size() > kMostPlaces) places_.pop_front();
  }

  // The key of what is told.
  std::string tell_slower(const StepChange& at, RuleContext& scene) {
    std::string key = scene.key(fmt::format("regression:{}", at.at.index));
    end_as_before(scene);
    const double tolerance = least_of(scene) + at.change.size.half_width();
    const auto before = segments_.as_before(at.at.index, at.change.after, tolerance);
    if (!before) {
      segments_.rose(at.at.index);
      tell(key, at, scene);
      return key;
    }
    auto finding = slower_steps(at, scene);
    finding.severity = std::min(finding.severity, findings::Severity::low);
    finding.what += fmt::format("; they were this slow before step {}", *before);
    if (finding.cause.empty()) {
      finding.fix =
          "if the faster steps were an evaluation, report them under another source name; else "
          "check what started at that time";
    }
    scene.tracker.raise(key, std::move(finding), at.at.time_ns);
    as_before_ = key;
    return key;
  }

  void end_as_before(const RuleContext& scene) {
    if (!as_before_.empty()) end(std::exchange(as_before_, ""), scene);
  }

  // Found with few steps after it, at a place where those of this window show no change, but beside
  // it one that is told, too.
  void withdraw_replaced(std::span<const StepFact> facts,
                         std::span<const stats::ChangePoint> changes, RuleContext& scene) {
    const auto is_reported = [&](const stats::ChangePoint& change) {
      return std::ranges::any_of(places_, [&](const Position& one) {
        return is_at(one, change, facts) && scene.tracker.is_active(one.key);
      });
    };
    std::erase_if(reported_, [&](const ReportedSlowdown& reported) {
      const auto place = std::ranges::find(places_, reported.key, &Position::key);
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
          changes, [&](const auto& each) { return facts[each.index].index > reported.since; });
      const bool is_replaced = (next != changes.begin() && is_reported(*std::prev(next))) ||
                               (next != changes.end() && is_reported(*next));
      if (!is_replaced) return false;
      scene.tracker.withdraw(reported.key, scene.window.last().time_ns);
      places_.erase(place);
      // What it was added to is told anew.
      for (Position& other : places_) other.steps = 0;
      return true;
    });
  }

  // Of the first that stands and is neither as large as it was nor over: the key of what is told in
  // its place; empty: there is none.
  std::string tell_part_back(const StepChange& at, RuleContext& scene) {
    constexpr double kAsBefore = 0.7;
    const double least = least_of(scene), half_width = at.change.size.half_width();
    const auto part = std::ranges::find_if(reported_, [&](const ReportedSlowdown& reported) {
      const double rest = at.change.after - reported.before.mean;
      const bool is_over = rest <= kBack * reported.size && rest - half_width < kSurely * least;
      return reported.since < at.at.index && rest >= least && rest < kAsBefore * reported.size &&
             !is_over;
    });
    if (part == reported_.end()) return "";
    const ReportedSlowdown before = *part;
    reported_.erase(part);
    scene.tracker.end(before.key, at.at.time_ns);
    std::string key = scene.key(fmt::format("regression:{}", at.at.index));
    tell_rest(key, before, at, scene);
    return key;
  }

  void tell_rest(const std::string& key, const ReportedSlowdown& of, const StepChange& at,
                 RuleContext& scene) {
    scene.tracker.raise(key, still_slower(at, of.step, of.before, scene), at.at.time_ns);
    remember({key, at.at.index, of.before, at.change.after - of.before.mean,
              std::sqrt(at.change.variance_after), of.step},
             scene);
  }

  // Known better: it may be less than what is told at all.
  void tell_better(const StepChange& at, Position& known, RuleContext& scene) {
    const stats::ChangePoint& change = at.change;
    known.size = change.size;
    known.steps = steps_of(change);
    const auto reported = std::ranges::find(reported_, known.key, &ReportedSlowdown::key);
    if (reported == reported_.end()) return;
    const ReportedSlowdown before = *reported;
    reported_.erase(reported);
    const bool is_part = change.after < change.before;
    if (change.after - (is_part ? before.before.mean : change.before) < least_of(scene)) {
      return scene.tracker.withdraw(known.key, scene.window.last().time_ns);
    }
    is_part ? tell_rest(known.key, before, at, scene) : tell(known.key, at, scene);
  }

  void tell(const std::string& key, const StepChange& at, RuleContext& scene) {
    const stats::ChangePoint& change = at.change;
    scene.tracker.raise(key, less_if_often(with_earlier(slower_steps(at, scene), at), passed_),
                        at.at.time_ns);
    remember({key, at.at.index, level_before(change), change.after - change.before,
              std::sqrt(change.variance_after), at.at.step},
             scene);
  }

  // Several that stand add up.
  findings::Finding with_earlier(findings::Finding finding, const StepChange& at) const {
    const ReportedSlowdown* first = slowing_.reported() ? &*slowing_.reported() : nullptr;
    for (const ReportedSlowdown& reported : reported_) {
      if (first == nullptr || reported.since < first->since) first = &reported;
    }
    if (first == nullptr || first->since >= at.at.index) return finding;
    const double longer = excess_of(level_after(at.change), first->before);
    finding.severity = std::max(finding.severity, findings::severity_of_excess(longer));
    finding.what += fmt::format("; they take {} longer than before step {}",
                                findings::percent(longer), first->step);
    return finding;
  }

  void tell_batches(const StepChange& at, RuleContext& scene) {
    // With other batches, what was told of the time of a step says nothing any more.
    end_reported(scene);
    end_as_before(scene);
    slowing_.end(scene);
    segments_.restart(at.at.index);
    batches_.push_back({at.at.index, 0, scene.key(fmt::format("batches:{}", at.at.index))});
    scene.tracker.raise(batches_.back().key, other_batches(at, scene), at.at.time_ns);
  }

  void remember(ReportedSlowdown reported, RuleContext& scene) {
    reported_.push_back(std::move(reported));
    if (reported_.size() <= kMostReported) return;
    end(reported_.front().key, scene);
    reported_.erase(reported_.begin());
  }

  void end_where_back(const LatestSteps& latest, RuleContext& scene) {
    std::erase_if(reported_, [&](const ReportedSlowdown& reported) {
      const auto ended_ns = ended_at_ns(reported, latest, latest.values.size());
      if (!ended_ns) return false;
      scene.tracker.end(reported.key, *ended_ns);
      ++passed_;
      return true;
    });
    slowing_.end_where_back(latest, scene);
    std::erase_if(batches_, [&](const Position& batch) {
      if (scene.window.last().index - batch.first < kBatchesReportedFor) return false;
      end(batch.key, scene);
      return true;
    });
  }

  // Of what rises all the time, the first steps look like a change.
  void withdraw_stairs(double rise, RuleContext& scene) {
    constexpr double kSmall = 1.0 / 3;
    std::erase_if(reported_, [&](const ReportedSlowdown& reported) {
      if (reported.size > kSmall * rise) return false;
      scene.tracker.withdraw(reported.key, scene.window.last().time_ns);
      return true;
    });
  }

  std::deque<Position> places_;             // of changes that were judged
  std::vector<ReportedSlowdown> reported_;  // what stands of slower steps
  std::vector<Position> batches_;           // since when batches are others
  int passed_ = 0;                          // told, and after which steps became as before
  SlowingSteps slowing_;
  FasterSegments segments_;
  std::string as_before_;  // the key of what is told of steps as before some faster ones
};

}  // namespace

RuleRow step_time_rule() {
  return {[]() -> std::unique_ptr<Rule> { return std::make_unique<StepTimeRule>(); },
          {&kRegression, &kSlowing, &kBatchChange}};
}

}  // namespace batchscope::training
