#include "recommend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "axes.hpp"
#include "batchscope/analyze/alike.hpp"
#include "bounds.hpp"
#include "estimates.hpp"
#include "output_facts.hpp"
#include "recommendation_words.hpp"
#include "scaling_table.hpp"
#include "smooth_facts.hpp"
#include "verification.hpp"
#include "wording.hpp"

namespace batchscope::analyze {
namespace {

// Ties give away at most this much of the throughput.
constexpr double kTieMargin = 0.005;

using Columns = std::vector<std::size_t>;

struct Pick {
  std::size_t group = 0;
  std::size_t column = 0;
};

// One run with its tables, and what a recommendation may choose from.
struct Choice {
  const RunView& view;
  const std::vector<schema::Group>& groups;
  const Options& options;
  Bounds bounds;

  const schema::ConfigRow& row(const Pick& pick) const {
    return groups[pick.group].rows[pick.column];
  }
  // Whether the two can be ranked.
  bool comparable(const schema::RunConfig& a, const schema::RunConfig& b) const {
    return is_same_work(a, b) && may_compare_engines(*view.run, a, b);
  }
  // Of one engine, for tables of others are not ranked with it unless they compute the same.
  std::optional<Unlike> unlike(const schema::RunConfig& config) const {
    return why_unlike(*view.run, config, config);
  }
  std::optional<std::string> left_out(const schema::ConfigRow& row) const {
    if (auto other = unlike(row.config)) return std::move(other->reason);
    return why_left_out(row, bounds);
  }
  Columns feasible(std::size_t g) const {
    Columns columns;
    for (std::size_t s = 0; s < groups[g].rows.size(); ++s) {
      if (!left_out(groups[g].rows[s])) columns.push_back(s);
    }
    return columns;
  }
};

// Among the tables of the same work as table `first`.
std::optional<Pick> fastest(const Choice& choice, std::size_t first) {
  const auto& groups = choice.groups;
  std::optional<Pick> pick;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (!choice.comparable(groups[g].key, groups[first].key)) continue;
    const auto column = best_column(choice.view.groups[g], choice.feasible(g));
    if (!column) continue;
    const Pick candidate{g, *column};
    const double rate = choice.row(candidate).throughput_per_s.value;
    if (!pick || rate > choice.row(*pick).throughput_per_s.value) pick = candidate;
  }
  return pick;
}

// Of the same work, whatever comes nearest to the bounds, which nothing keeps.
std::optional<Pick> nearest(const Choice& choice, std::size_t first) {
  std::optional<Pick> pick;
  for (std::size_t g = 0; g < choice.groups.size(); ++g) {
    if (!choice.comparable(choice.groups[g].key, choice.groups[first].key)) continue;
    for (std::size_t s = 0; s < choice.groups[g].rows.size(); ++s) {
      const Pick candidate{g, s};
      if (choice.unlike(choice.row(candidate).config)) continue;
      const double beyond = excess(choice.row(candidate), choice.bounds);
      if (!pick || beyond < excess(choice.row(*pick), choice.bounds)) pick = candidate;
    }
  }
  return pick;
}

bool is_tied(const GroupData& data, std::size_t best, std::size_t other, const Options& options) {
  const auto worse = stats::estimate_mean(per_sample_contrast(data.calm, best, other), kCalmMethod);
  if (!worse) return false;
  const stats::Interval interval = stats::two_sided_interval(*worse, options.level);
  return interval.contains(0) && worse->value <= std::log1p(kTieMargin);
}

Columns tied_columns(const Choice& choice, const Pick& best) {
  const GroupData& data = choice.view.groups[best.group];
  Columns columns;
  for (const std::size_t s : choice.feasible(best.group)) {
    if (s == best.column || is_tied(data, best.column, s, choice.options)) columns.push_back(s);
  }
  return columns;
}

// The size that the user has now, in the first table of the work that holds it: the first value of
// every other axis is the current one.
std::optional<Pick> current(const Choice& choice, const Pick& best) {
  const auto& plan = choice.view.run->header.plan;
  const auto size = choice.options.current_batch_size ? choice.options.current_batch_size
                                                      : plan.current_batch_size;
  if (!size) return std::nullopt;
  for (std::size_t g = 0; g < choice.groups.size(); ++g) {
    const schema::Group& group = choice.groups[g];
    if (!choice.comparable(group.key, choice.groups[best.group].key)) continue;
    for (std::size_t s = 0; s < group.rows.size(); ++s) {
      if (group.rows[s].config.shape.batch_size == *size) return Pick{g, s};
    }
  }
  return std::nullopt;
}

// Throughput of the pick over that of the baseline, less 1. Within a table it is the table's own
// slowdown, inverted, so that the page does not state two figures for one thing.
std::optional<schema::Estimate> gain(const Choice& choice, const Pick& pick, const Pick& baseline) {
  if (pick.group == baseline.group && pick.column == baseline.column) return std::nullopt;
  if (pick.group == baseline.group && baseline.column == kBaseColumn) {
    const auto& slowdown = choice.row(pick).relative_slowdown;
    if (!slowdown) return std::nullopt;
    return less_one(inverted(*slowdown, 1));
  }
  const auto logs = per_sample_contrast(choice.view.groups[pick.group], pick.column,
                                        choice.view.groups[baseline.group], baseline.column);
  if (logs.empty()) return std::nullopt;
  return less_one(exp_estimate(logs, choice.options.level, stats::Method::student_t));
}

// Settings of the same work whose best size is not told apart from the pick, in words.
std::vector<std::string> settings_alike(const Choice& choice, const Pick& best) {
  const auto& groups = choice.groups;
  std::vector<std::string> alike;
  const GroupData& data = choice.view.groups[best.group];
  const std::vector<schema::RunConfig> own{groups[best.group].key};
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (g == best.group || !choice.comparable(groups[g].key, groups[best.group].key)) continue;
    const auto other = best_column(choice.view.groups[g], choice.feasible(g));
    if (!other) continue;
    const auto worse = stats::estimate_mean(
        per_sample_contrast(data, best.column, choice.view.groups[g], *other), kCalmMethod);
    if (worse && stats::p_greater(*worse) < 1 - choice.options.level) continue;
    const std::string setting = axis_words(groups[g].key, own, AxisKind::setting);
    alike.push_back(
        fmt::format("batch {} with {}", choice.view.groups[g].table.sizes[*other], setting));
  }
  return alike;
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
std::string doubts(const Choice& choice, const schema::Recommendation& pick, const Pick& best) {
  std::vector<std::string> alike = settings_alike(choice, best);
  std::vector<int64_t> others =
      feasible_of(choice, best.group, choice.groups[best.group].best_sizes);
  std::erase_if(others, [&](int64_t size) {
    return holds(pick.ties, size) || size == pick.config.shape.batch_size;
  });
  if (!others.empty()) alike.insert(alike.begin(), batches(others));
  return alike.empty() ? "" : fmt::format(" It is not proven better than {}.", joined(alike));
}

// What of the same work was measured, was to be, and was left out.
void count_points(const Choice& choice, schema::Recommendation& pick) {
  for (const schema::Group& each : choice.groups) {
    if (!choice.comparable(each.key, pick.config)) continue;
    pick.points_measured += static_cast<int>(each.rows.size());
    for (const schema::ConfigRow& row : each.rows) {
      if (const auto why = choice.left_out(row)) {
        pick.left_out.push_back({row.config, *why});
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
  for (std::size_t i = 0; i < choice.view.run->configs.size(); ++i) {
    const schema::RunConfig& config = choice.view.run->configs[i];
    // An intervention is no setting to choose from.
    const bool choosable = config.environment == pick.config.environment &&
                           experiments.count(static_cast<int>(i)) == 0;
    if (choosable && choice.comparable(config, pick.config)) ++pick.points_total;
  }
}

schema::Recommendation recommendation_of(const Choice& choice, const Pick& pick) {
  const schema::ConfigRow& row = choice.row(pick);
  schema::Recommendation made;
  made.config = row.config;
  made.objective = objective(choice.bounds);
  made.throughput_per_s = row.throughput_per_s.value;
  made.latency_ms = row.time_ms.value;
  count_points(choice, made);
  return made;
}

std::optional<schema::Recommendation> infeasible(const Choice& choice, std::size_t first) {
  const auto near = nearest(choice, first);
  if (!near) return std::nullopt;
  schema::Recommendation made = recommendation_of(choice, *near);
  made.feasible = false;
  made.message = infeasible_words(made, choice.groups, choice.bounds, choice.row(*near));
  return made;
}

std::optional<schema::Recommendation> recommend_for(const Choice& choice, std::size_t first) {
  const auto best = fastest(choice, first);
  if (!best) return infeasible(choice, first);
  auto tied = tied_columns(choice, *best);
  Pick pick{best->group, tied.front()};
  const Pick baseline = current(choice, pick).value_or(Pick{pick.group, kBaseColumn});
  const bool baseline_fits = !choice.left_out(choice.row(baseline));
  auto chosen = gain(choice, pick, baseline);
  // Chosen by times from which spikes are moved in, it may look no better by those that are shown:
  // then nothing speaks for a change.
  if (chosen && chosen->value <= 0 && baseline_fits) {
    pick = baseline;
    tied = {baseline.column};
    chosen.reset();
  }
  const schema::Group& group = choice.groups[pick.group];
  schema::Recommendation made = recommendation_of(choice, pick);
  // Without repeats nothing can be proven slow, so "not proven slow" recommends nothing.
  if (choice.view.repeated) made.good_sizes = feasible_of(choice, pick.group, group.good_sizes);
  made.gain = chosen;
  if (chosen) {
    made.baseline = choice.row(baseline).config;
    made.gain_against = gain_against(made);
  }
  for (std::size_t i = 1; i < tied.size(); ++i) {
    made.ties.push_back(choice.view.groups[pick.group].table.sizes[tied[i]]);
  }
  const std::string fresh = verify(made, baseline_fits, choice.view, choice.options);
  if (!made.withdrawn) {
    made.message = message_of(made, chosen, choice.groups, choice.bounds, choice.row(pick)) +
                   fresh + doubts(choice, made, *best);
  }
  return made;
}

}  // namespace

std::vector<schema::Recommendation> recommend(const RunView& view,
                                              const std::vector<schema::Group>& groups,
                                              const Options& options) {
  const Choice choice{view, groups, options, bounds_of(view, options)};
  std::vector<schema::Recommendation> picks;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    bool seen = groups[g].rows.empty();
    for (std::size_t e = 0; e < g; ++e) seen |= choice.comparable(groups[e].key, groups[g].key);
    if (seen) continue;
    if (auto pick = recommend_for(choice, g)) picks.push_back(*std::move(pick));
  }
  return picks;
}

}  // namespace batchscope::analyze
