#include "recommend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "batchscope/findings/wording.hpp"
#include "batchscope/tables/axes.hpp"
#include "batchscope/tables/environments.hpp"
#include "batchscope/tables/throughput.hpp"
#include "choice.hpp"
#include "gain.hpp"
#include "growth.hpp"
#include "longer_visits.hpp"
#include "recommendation_words.hpp"
#include "support.hpp"
#include "verification.hpp"

namespace batchscope::analyze {
namespace {

using findings::batches;
using schema::AxisKind;
using tables::axis_words;
using tables::best_column;
using tables::GroupData;
using tables::kCalmMethod;
using tables::per_sample_contrast;
using tables::RunView;

// Settings of the same work whose best size is not told apart from the pick, in words.
std::vector<std::string> tied_settings(const Choice& choice, const Pick& best) {
  const auto& groups = choice.groups;
  std::vector<std::string> tied;
  const GroupData& data = choice.view.groups[best.group];
  const std::vector<schema::RunConfig> own{groups[best.group].key};
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (g == best.group || !choice.comparable(groups[g].key, groups[best.group].key)) continue;
    const auto other =
        best_column(choice.view.groups[g], choice.feasible(g), choice.options.practical);
    if (!other) continue;
    const auto worse = stats::estimate_mean(
        per_sample_contrast(data, best.column, choice.view.groups[g], *other), kCalmMethod);
    if (worse && stats::p_greater(*worse) < 1 - choice.options.level) continue;
    const std::string setting = axis_words(groups[g].key, own, AxisKind::setting);
    tied.push_back(
        fmt::format("batch {} with {}", choice.view.groups[g].table.sizes[*other], setting));
  }
  return tied;
}

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) text += i + 1 == parts.size() ? " and " : "; ";
    text += parts[i];
  }
  return text;
}

bool holds(const std::vector<int64_t>& sizes, int64_t size) {
  return std::find(sizes.begin(), sizes.end(), size) != sizes.end();
}

std::vector<int64_t> feasible_of(const Choice& choice, std::size_t g,
                                 const std::vector<int64_t>& sizes) {
  std::vector<int64_t> kept;
  for (const std::size_t s : choice.feasible(g)) {
    const int64_t size = choice.view.groups[g].table.sizes[s];
    if (holds(sizes, size)) kept.push_back(size);
  }
  return kept;
}

// What is as good for all that the run can tell: sizes whose intervals reach the best, beyond ties.
std::string doubts(const Choice& choice, const findings::Recommendation& pick, const Pick& best) {
  std::vector<std::string> tied = tied_settings(choice, best);
  std::vector<int64_t> others =
      feasible_of(choice, best.group, choice.groups[best.group].best_sizes);
  std::erase_if(others, [&](int64_t size) {
    return holds(pick.ties, size) || size == pick.config.shape.batch_size;
  });
  if (!others.empty()) tied.insert(tied.begin(), batches(others));
  return tied.empty() ? "" : fmt::format(" It is not significantly better than {}.", joined(tied));
}

// What of the same work was measured, was to be, and was left out.
void count_points(const Choice& choice, findings::Recommendation& pick) {
  for (std::size_t g = 0; g < choice.groups.size(); ++g) {
    if (!choice.comparable(choice.groups[g].key, pick.config)) continue;
    const std::size_t rows = choice.groups[g].rows.size();
    pick.points_measured += static_cast<int>(rows);
    for (std::size_t s = 0; s < rows; ++s) {
      if (const auto why = choice.left_out({g, s})) {
        pick.left_out.push_back({choice.row({g, s}).config, *why});
      }
    }
  }
  std::set<int> experiments;
  for (const schema::Visit& visit : choice.view.run->visits) {
    if (visit.purpose == schema::Purpose::intervention) experiments.insert(visit.config);
  }
  for (const schema::Visit& visit : choice.view.run->visits) {
    if (visit.purpose != schema::Purpose::intervention) experiments.erase(visit.config);
  }
  const auto environments = tables::planned_environments(*choice.view.run);
  for (std::size_t i = 0; i < choice.view.run->configs.size(); ++i) {
    const schema::RunConfig& config = choice.view.run->configs[i];
    // An intervention is no setting to choose from.
    const bool asked_for = std::find(environments.begin(), environments.end(),
                                     config.environment) != environments.end();
    const bool choosable = asked_for && experiments.count(static_cast<int>(i)) == 0;
    if (choosable && choice.comparable(config, pick.config)) ++pick.points_total;
  }
}

findings::Recommendation recommendation_of(const Choice& choice, const Pick& pick) {
  const findings::ConfigRow& row = choice.row(pick);
  findings::Recommendation made;
  made.config = row.config;
  made.objective = objective(choice.bounds);
  made.throughput_per_s = row.throughput_per_s.value;
  made.latency_ms = row.time_ms.value;
  count_points(choice, made);
  const findings::Group& group = choice.groups[pick.group];
  // Without repeats nothing can be shown of a size, so that none is one to round to.
  if (choice.view.repeated) {
    made.good_sizes = feasible_of(choice, pick.group, group.good_sizes);
    made.untested_sizes = feasible_of(choice, pick.group, group.untested_sizes);
  }
  return made;
}

std::optional<findings::Recommendation> infeasible(const Choice& choice, std::size_t first) {
  const auto near = nearest(choice, first);
  if (!near) return std::nullopt;
  findings::Recommendation made = recommendation_of(choice, *near);
  made.feasible = false;
  made.message = infeasible_words(made, choice.groups, choice.bounds, choice.row(*near));
  return made;
}

// One pair of visits is no figure; a table of single numbers is taken at its word.
std::optional<findings::Estimate> as_figure(const Choice& choice,
                                            std::optional<findings::Estimate> gain) {
  if (gain && choice.view.repeated && !gain->ci) gain.reset();
  return gain;
}

void put_gain(const Choice& choice, const Pick& baseline, const Gain& gain,
              findings::Recommendation& made) {
  made.gain = as_figure(choice, gain.estimate);
  made.gain_level = gain.level;
  made.baseline = choice.row(baseline).config;
  made.gain_against = gain_against(made);
}

struct Chosen {
  findings::Recommendation made;
  std::string fresh;  // what fresh visits say of it
};

// The pick with its ties and its gain.
Chosen chosen(const Choice& choice, const Columns& tied, const Pick& best, const Pick& baseline,
              const std::optional<Gain>& gain) {
  const Pick pick{best.group, tied.front()};
  findings::Recommendation made = recommendation_of(choice, pick);
  if (gain) put_gain(choice, baseline, *gain, made);
  for (std::size_t i = 1; i < tied.size(); ++i) {
    made.ties.push_back(choice.view.groups[pick.group].table.sizes[tied[i]]);
  }
  const auto chosen = made.gain;
  const double level = made.gain_level;
  const bool baseline_fits = !choice.left_out(baseline);
  const std::string fresh = verify(made, baseline_fits, choice.view, choice.options);
  if (made.withdrawn) return {made, fresh};
  made.larger_sizes = larger_sizes(choice, Pick{best.group, tied.back()});
  const auto& row = choice.row(pick);
  made.message = message_of(made, {chosen, level}, choice.groups, choice.bounds, row) + fresh +
                 growth_words(choice, made, Pick{best.group, tied.back()}) +
                 doubts(choice, made, best);
  return {made, fresh};
}

// Nothing is told apart from it: no size is named.
void leave_open(const Choice& choice, const Supported& supported, const std::string& fresh,
                findings::Recommendation& made) {
  made.undecided = true;
  made.gain.reset();
  made.ties.clear();
  made.larger_sizes.clear();
  made.open_gain = as_figure(choice, supported.open_gain);
  made.blocks_needed = supported.blocks_needed;
  // Fresh visits that say something without a number may still hold warm-up.
  const bool warming = !fresh.empty() && made.fresh_visits == 0;
  if (alike_within(made)) {
    made.blocks_needed.reset();
  } else if (supported.needs_longer_visits || warming) {
    made.blocks_needed.reset();
    made.visit_s_needed = longer_visit_s(choice.view);
  }
  made.message = undecided_words(made, fresh, choice.groups, choice.bounds);
}

void put_support(const Choice& choice, const Pick& pick, const std::optional<Gain>& gain,
                 const std::string& fresh, findings::Recommendation& made) {
  const Supported supported = support_of(choice, pick, gain);
  made.support = supported.support;
  const bool open = made.support == findings::Support::open;
  if (open && !made.verified && !made.withdrawn) leave_open(choice, supported, fresh, made);
}

findings::Recommendation taken(const Choice& choice, const Columns& tied, const Pick& best,
                               const Pick& baseline, const std::optional<Gain>& gain) {
  auto [made, fresh] = chosen(choice, tied, best, baseline, gain);
  put_support(choice, {best.group, tied.front()}, gain, fresh, made);
  return made;
}

// What looks best is no better than the baseline by anything that matters: that stays.
findings::Recommendation kept(const Choice& choice, const Pick& pick, const Pick& baseline,
                              const Gain& gain) {
  findings::Recommendation made = recommendation_of(choice, baseline);
  const std::string fresh = verify(made, true, choice.view, choice.options);
  if (made.withdrawn) return made;
  made.message =
      message_of(made, {}, choice.groups, choice.bounds, choice.row(baseline)) +
      too_small_words(choice.row(pick).config, made.config, gain, choice.options.practical) + fresh;
  put_support(choice, baseline, std::nullopt, fresh, made);
  return made;
}

// What looks best cannot be told from the baseline, unless fresh visits tell.
findings::Recommendation undecided(const Choice& choice, const Columns& tied, const Pick& best,
                                   const Pick& baseline, const Gain& gain) {
  const auto [tried, fresh] = chosen(choice, tied, best, baseline, gain);
  if (tried.verified) return tried;
  findings::Recommendation made = recommendation_of(choice, baseline);
  made.support = findings::Support::open;
  made.unconfirmed_best = tried.config;
  made.fresh_visits = tried.fresh_visits;
  made.gain_level = gain.level;
  leave_open(choice, {made.support, gain.estimate, gain.blocks_needed, gain.needs_longer_visits},
             fresh, made);
  return made;
}

// Nothing is named: what the choice, or its gain, rests on may still be warming up.
std::optional<findings::Recommendation> warming(const Choice& choice, const Pick& stays) {
  findings::Recommendation made = recommendation_of(choice, stays);
  made.support = findings::Support::open;
  leave_open(choice, {made.support, std::nullopt, std::nullopt, true}, "", made);
  return made;
}

Gain gain_over(const Choice& choice, const Pick& pick, const Pick& baseline) {
  return gain_of(rate_contrast(choice, pick, baseline), competitors(choice, baseline),
                 choice.options);
}

bool is_shown_better(const Choice& choice, const Pick& pick, const Pick& other) {
  const Gain gain = gain_over(choice, pick, other);
  return gain.verdict == GainVerdict::shown && gain.estimate.ci;
}

// Whether the first sets some of what the second sets, and nothing else.
bool sets_less(const schema::Environment& a, const schema::Environment& b) {
  return a.size() < b.size() && std::includes(b.begin(), b.end(), a.begin(), a.end());
}

// A variable is set only where that is shown to be better: of what sets fewer of those of `best`
// and is not shown to be worse, what sets the fewest, and of such the fastest; else `best`. Where
// no block has both, nothing is known of the two.
Pick with_least_set(const Choice& choice, const Pick& best) {
  const schema::RunConfig& own = choice.groups[best.group].key;
  const auto rank = [&](const Pick& pick) {
    return std::pair(choice.groups[pick.group].key.environment.size(),
                     -choice.row(pick).throughput_per_s.value);
  };
  std::optional<Pick> plainest;
  for (std::size_t g = 0; g < choice.groups.size(); ++g) {
    const schema::RunConfig& key = choice.groups[g].key;
    if (!choice.comparable(key, own) || !sets_less(key.environment, own.environment)) continue;
    const auto column =
        best_column(choice.view.groups[g], choice.feasible(g), choice.options.practical);
    if (!column) continue;
    const Pick plain{g, *column};
    if (rate_contrast(choice, best, plain).logs.empty() || is_shown_better(choice, best, plain))
      continue;
    if (!plainest || rank(plain) < rank(*plainest)) plainest = plain;
  }
  return plainest.value_or(best);
}

// The most throughput among what is shown to be better than the baseline: what looks best may
// scatter so much that it is not. Every candidate's interval allows for all of them.
std::optional<Pick> best_shown(const Choice& choice, const Pick& baseline) {
  std::optional<Pick> best;
  for (std::size_t g = 0; g < choice.groups.size(); ++g) {
    if (!choice.comparable(choice.groups[g].key, choice.groups[baseline.group].key)) continue;
    for (const std::size_t s : choice.feasible(g)) {
      const Pick each{g, s};
      const double rate = choice.row(each).throughput_per_s.value;
      const bool behind = best && rate <= choice.row(*best).throughput_per_s.value;
      if (each == baseline || behind || rate_contrast(choice, each, baseline).logs.empty())
        continue;
      if (gain_over(choice, each, baseline).verdict == GainVerdict::shown) best = each;
    }
  }
  if (!best) return best;
  const Pick plain = with_least_set(choice, *best);
  return plain != baseline && is_shown_better(choice, plain, baseline) ? plain : best;
}

// Something is shown to be better than the baseline, but not what looks best.
findings::Recommendation second_best(const Choice& choice, const Pick& shown,
                                     const Pick& unconfirmed_best, const Pick& baseline,
                                     const Gain& unshown) {
  const Gain gain = gain_over(choice, shown, baseline);
  findings::Recommendation made = taken(choice, {shown.column}, shown, baseline, gain);
  if (made.withdrawn) return made;
  made.message += unconfirmed_words(choice.row(unconfirmed_best).config,
                                    choice.row(baseline).config, made, unshown);
  return made;
}

std::optional<findings::Recommendation> recommend_for(const Choice& choice, std::size_t first) {
  // What one size shows of a model that warms up is evidence for all of them.
  if (choice.any_warming(first)) return warming(choice, baseline_of(choice, {first, 0}));
  const auto unconfirmed_best = fastest(choice, first);
  if (!unconfirmed_best) return infeasible(choice, first);
  const Pick best = with_least_set(choice, *unconfirmed_best);
  const Columns tied = tied_columns(choice, best);
  const Pick pick{best.group, tied.front()};
  const Pick baseline = baseline_of(choice, pick);
  if (pick == baseline) return taken(choice, tied, best, baseline, std::nullopt);
  if (rate_contrast(choice, pick, baseline).logs.empty()) {
    return taken(choice, tied, best, baseline, std::nullopt);
  }
  const Gain gain = gain_over(choice, pick, baseline);
  if (gain.verdict == GainVerdict::shown) return taken(choice, tied, best, baseline, gain);
  // What the bounds rule out, or failed, is no alternative, however fast it is; how far apart they
  // are is said where it is known.
  if (choice.left_out(baseline)) {
    const auto& interval = gain.estimate.ci;
    const bool known = !interval || interval->low > 0 || interval->high < 0;
    return taken(choice, tied, best, baseline, known ? std::optional(gain) : std::nullopt);
  }
  if (gain.verdict == GainVerdict::too_small) return kept(choice, pick, baseline, gain);
  if (const auto shown = best_shown(choice, baseline)) {
    return second_best(choice, *shown, pick, baseline, gain);
  }
  return undecided(choice, tied, best, baseline, gain);
}

}  // namespace

std::vector<findings::Recommendation> recommend(const RunView& view,
                                                const std::vector<findings::Group>& groups,
                                                const Options& options) {
  const Choice choice{view, groups, options, bounds_of(view, options)};
  std::vector<findings::Recommendation> picks;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    bool seen = groups[g].rows.empty();
    for (std::size_t e = 0; e < g; ++e) seen |= choice.comparable(groups[e].key, groups[g].key);
    if (seen) continue;
    if (auto pick = recommend_for(choice, g)) picks.push_back(*std::move(pick));
  }
  return picks;
}

}  // namespace batchscope::analyze
