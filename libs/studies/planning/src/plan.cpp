#include "batchscope/planning/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/counted.hpp"
#include "batchscope/base/units.hpp"
#include "candidates.hpp"
#include "plan_checks.hpp"
#include "plan_words.hpp"
#include "trial.hpp"

namespace batchscope::planning {
namespace {

using base::Error;
using base::ErrorKind;

// Beyond the fewest that carry the rate: more would mean that another limit binds.
constexpr int kMoreInstances = 64;
constexpr double kMostLoad = 0.99;
constexpr int kLoadPoints = 12;
constexpr std::size_t kSizesWithDelays = 3;

// One kind of policy at work: its settings differ with the number of instances.
struct Choice {
  const Candidates* candidates;
  double capacity_per_s = 0;  // of one instance, at best
  std::optional<int> needed{};
};

// Of `too_few` + 1 to `enough`, which does.
template <class Keeps>
int fewest_between(int too_few, int enough, const Keeps& keeps) {
  while (enough - too_few > 1) {
    const int middle = too_few + (enough - too_few) / 2;
    (keeps(middle) ? enough : too_few) = middle;
  }
  return enough;
}

// From `from` to `most`, by steps that double and then halve, as more instances are hardly ever
// slower; nullopt: not even `most` do.
template <class Keeps>
std::optional<int> fewest(int from, int most, const Keeps& keeps) {
  int too_few = from - 1, enough = from;
  for (int step = 1; !keeps(enough); step *= 2) {
    if (enough == most) return std::nullopt;
    too_few = enough;
    enough = std::min(enough + step, most);
  }
  return fewest_between(too_few, enough, keeps);
}

class Planner {
 public:
  Planner(const MeasuredCosts& costs, const PlanRequest& request)
      : costs_(costs),
        request_(request),
        trial_(costs, request),
        candidates_(candidates_for(costs, request)) {}

  base::Result<CapacityPlan> make() {
    if (auto checked = check_capacity(); !checked) return checked.error();
    for (const Candidates& candidates : candidates_) choices_.push_back(choose(candidates));
    const auto instances = pick_instances();
    if (!instances) return instances.error();
    CapacityPlan plan = with_instances(*instances);
    plan.warnings = warnings_of(plan, costs_, request_);
    plan.message = message_of(plan);
    return plan;
  }

 private:
  // Of one instance: what the policies with the most carry at best.
  double best_capacity_per_s() const {
    return base::largest_of(
        candidates_, [&](const Candidates& each) { return capacity_per_s(each); }, 0.0);
  }

  double capacity_per_s(const Candidates& candidates) const {
    return base::largest_of(
        candidates.settings,
        [&](const Delays& alike) { return trial_.capacity_per_s(*alike.front()); }, 0.0);
  }

  base::Result<void> check_capacity() const {
    const double needed = request_.rate_per_s / (kMostLoad * best_capacity_per_s());
    if (needed <= kMostInstances) return {};
    return Error{ErrorKind::failed,
                 fmt::format("{:g} requests per second need {:.3g} instances at {:.4g} per second "
                             "each, but the limit is {:g}",
                             request_.rate_per_s, needed, best_capacity_per_s(), kMostInstances),
                 "--rate", "check the rate and its unit"};
  }

  Choice choose(const Candidates& candidates) const {
    Choice choice{&candidates, capacity_per_s(candidates)};
    const int fewest = instances_for_rate(choice.capacity_per_s);
    if (!request_.p99_s) {
      choice.needed = fewest;
      return choice;
    }
    choice.needed = fewest_that_keep(candidates, fewest);
    return choice;
  }

  // The fewest instances from `from` on with which all series keep the bound; looked for where the
  // short ones do.
  std::optional<int> fewest_that_keep(const Candidates& candidates, int from) const {
    const int most = std::max(from, request_.instances.value_or(from)) + kMoreInstances;
    const double bound_s = request_.p99_s.value_or(std::numeric_limits<double>::infinity());
    const auto keeps = [&](int instances) { return planned(candidates, instances).meets; };
    const int guess = fewest(from, most, [&](int instances) {
                        return best_setting(candidates, instances).second <= bound_s;
                      }).value_or(most);
    if (!keeps(guess)) return guess < most ? fewest(guess + 1, most, keeps) : std::nullopt;
    int too_few = from - 1, enough = guess;
    for (int step = 1; enough > from; step *= 2) {
      const int fewer = std::max(from, enough - step);
      if (!keeps(fewer)) {
        too_few = fewer;
        break;
      }
      enough = fewer;
    }
    return fewest_between(too_few, enough, keeps);
  }

  // With its best setting, in all series.
  const PolicyPlan& planned(const Candidates& candidates, int instances) const {
    const auto [place, is_new] = planned_.try_emplace({&candidates, instances});
    if (is_new) place->second = trial_.full(*best_setting(candidates, instances).first, instances);
    return place->second;
  }

  int instances_for_rate(double capacity_per_s) const {
    return static_cast<int>(std::floor(request_.rate_per_s / (kMostLoad * capacity_per_s))) + 1;
  }

  using Tried = std::pair<const serving::Policy*, double>;  // and its p99, seconds

  // The settings with the lowest p99, and that.
  Tried best_setting(const Candidates& candidates, int instances) const {
    const auto [place, is_new] = best_.try_emplace({&candidates, instances});
    if (is_new) place->second = find_best_setting(candidates, instances);
    return place->second;
  }

  // Longer delays are tried with those largest batches only that do best with the shortest.
  Tried find_best_setting(const Candidates& candidates, int instances) const {
    std::vector<std::pair<double, const Delays*>> sizes;
    for (const Delays& alike : candidates.settings) {
      const double capacity = instances * trial_.capacity_per_s(*alike.front());
      if (request_.rate_per_s >= kMostLoad * capacity) continue;
      sizes.emplace_back(trial_.quick_p99_s(*alike.front(), instances), &alike);
    }
    std::stable_sort(sizes.begin(), sizes.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    Tried best{candidates.settings.front().front().get(), std::numeric_limits<double>::infinity()};
    for (std::size_t i = 0; i < std::min(kSizesWithDelays, sizes.size()); ++i) {
      const auto& [p99_of_shortest, alike] = sizes[i];
      if (p99_of_shortest < best.second) best = {alike->front().get(), p99_of_shortest};
      for (auto policy = alike->begin() + 1; policy != alike->end(); ++policy) {
        const double p99 = trial_.quick_p99_s(**policy, instances);
        if (p99 < best.second) best = {policy->get(), p99};
      }
    }
    return best;
  }

  base::Result<int> pick_instances() const {
    double capacity = 0;
    std::optional<int> needed;
    for (const Choice& choice : choices_) {
      capacity = std::max(capacity, choice.capacity_per_s);
      if (choice.needed && (!needed || *choice.needed < *needed)) needed = choice.needed;
    }
    if (request_.instances) {
      const double of_all = *request_.instances * capacity;
      if (request_.rate_per_s < kMostLoad * of_all) return *request_.instances;
      return Error{
          ErrorKind::failed,
          fmt::format("{:g} requests per second exceed the capacity of {}: {:.4g} per second at "
                      "most; the rate is {}",
                      request_.rate_per_s, in_words(*request_.instances), of_all,
                      how_much_more(request_.rate_per_s, of_all)),
          "--rate",
          fmt::format("the rate needs {}{}", in_words(instances_for_rate(capacity)),
                      needed && request_.p99_s ? fmt::format(", the p99 needs {}", *needed) : "")};
    }
    if (needed) return *needed;
    return out_of_reach(instances_for_rate(capacity) + kMoreInstances);
  }

  Error out_of_reach(int most) const {
    double nearest = std::numeric_limits<double>::infinity();
    for (const Choice& choice : choices_) {
      nearest = std::min(nearest, best_setting(*choice.candidates, most).second);
    }
    return {ErrorKind::failed,
            fmt::format("a p99 of {} is not met with {}: their p99 is {}, {}",
                        base::format_seconds(*request_.p99_s), base::counted(most, "instance"),
                        base::format_seconds(nearest), how_much_more(nearest, *request_.p99_s)),
            "--p99",
            fmt::format("allow more than {}, the p99 of a request that never waits",
                        base::format_seconds(alone_p99_s(costs_, request_)))};
  }

  CapacityPlan with_instances(int instances) const {
    CapacityPlan plan;
    plan.config = costs_.config;
    plan.rate_per_s = request_.rate_per_s;
    if (request_.p99_s) plan.p99_ms = 1e3 * *request_.p99_s;
    plan.arrivals = request_.arrivals.text;
    plan.instances = instances;
    for (const Choice& choice : choices_) add(plan, choice);
    recommend(plan);
    return plan;
  }

  void add(CapacityPlan& plan, const Choice& choice) const {
    PolicyPlan added = planned(*choice.candidates, plan.instances);
    added.instances_needed = choice.needed;
    const bool enough = choice.needed && *choice.needed <= plan.instances;
    // Where more instances than fewer are slower for once, what was planned is what counts.
    if (added.meets && !enough) added.instances_needed = plan.instances;
    if (!added.meets && enough) {
      added.instances_needed = fewest_that_keep(*choice.candidates, plan.instances + 1);
    }
    plan.policies.push_back(added);
    if (!request_.curves) return;
    const serving::Policy* policy = best_setting(*choice.candidates, plan.instances).first;
    LoadCurve curve{added.policy, {}};
    const double most = capacity_of_all() * plan.instances;
    for (int i = 1; i <= kLoadPoints; ++i) {
      curve.points.push_back(
          trial_.at_load(*policy, plan.instances, most * i / (kLoadPoints + 0.5)));
    }
    plan.curves.push_back(std::move(curve));
  }

  double capacity_of_all() const {
    double capacity = 0;
    for (const Choice& choice : choices_) capacity = std::max(capacity, choice.capacity_per_s);
    return capacity;
  }

  static void recommend(CapacityPlan& plan) {
    const auto better = [](const PolicyPlan& a, const PolicyPlan& b) {
      const int many = std::numeric_limits<int>::max();
      const int needs_a = a.instances_needed.value_or(many);
      const int needs_b = b.instances_needed.value_or(many);
      if (needs_a != needs_b) return needs_a < needs_b;
      return a.p99_ms && b.p99_ms && a.p99_ms->value < b.p99_ms->value;
    };
    for (std::size_t i = 0; i < plan.policies.size(); ++i) {
      if (!plan.policies[i].meets) continue;
      if (!plan.recommended || better(plan.policies[i], plan.policies[*plan.recommended])) {
        plan.recommended = i;
      }
    }
  }

  const MeasuredCosts& costs_;
  const PlanRequest& request_;
  Trial trial_;
  std::vector<Candidates> candidates_;
  std::vector<Choice> choices_;
  // Asked for repeatedly.
  mutable std::map<std::pair<const Candidates*, int>, PolicyPlan> planned_;
  mutable std::map<std::pair<const Candidates*, int>, Tried> best_;
};

// Requests whose lengths nobody tells are as long as what was measured, where that is one length.
PlanRequest with_lengths(const MeasuredCosts& costs, PlanRequest request) {
  const auto* recorded = std::get_if<RecordedArrivals>(&request.arrivals.law);
  const bool reported = !request.lengths.empty() || (recorded && !recorded->tokens.empty());
  if (!reported && costs.table.lengths().size() == 1) request.lengths = costs.table.lengths();
  return request;
}

}  // namespace

base::Result<CapacityPlan> plan(const MeasuredCosts& costs, const PlanRequest& request) {
  const PlanRequest complete = with_lengths(costs, request);
  if (auto checked = check_request(costs, complete); !checked) return checked.error();
  return Planner(costs, complete).make();
}

}  // namespace batchscope::planning
