#include "choice.hpp"

#include <algorithm>
#include <cmath>

#include "batchscope/compare/output_facts.hpp"
#include "batchscope/findings/floors.hpp"
#include "batchscope/stats/descriptive.hpp"
#include "batchscope/tables/axes.hpp"
#include "batchscope/tables/scaling_table.hpp"
#include "batchscope/tables/set_aside.hpp"
#include "batchscope/tables/throughput.hpp"

namespace batchscope::analyze {
namespace {

using compare::find_mismatch;
using compare::may_compare_engines;
using compare::Mismatch;
using tables::best_column;
using tables::GroupData;
using tables::is_same_work;
using tables::is_set_aside;
using tables::kBaseColumn;
using tables::kCalmMethod;
using tables::paired_contrast;
using tables::per_sample_contrast;
using tables::unseen_contrast;

// The smallest size of a table that is not set aside.
std::size_t base_column(const findings::Group& group) {
  for (std::size_t s = 0; s < group.rows.size(); ++s) {
    if (!is_set_aside(group.set_aside, group.rows[s].config.shape.batch_size)) return s;
  }
  return kBaseColumn;
}

// How much less throughput, ln units, does not matter: what is practical, for each time that the
// batch would else take twice as long.
double not_worth_it(const GroupData& data, std::size_t best, std::size_t other,
                    const Options& options) {
  constexpr double kMost = 0.015;
  const std::vector<double> longer = paired_contrast(data.table, other, best);
  const double doublings = longer.empty() ? 0 : stats::mean(longer) / std::log(2.0);
  const double margin = std::min(kMost, options.practical * doublings);
  return std::log1p(std::max(margin, options.practical));
}

bool is_tied(const GroupData& data, std::size_t best, std::size_t other, const Options& options) {
  const std::vector<double> measured = per_sample_contrast(data.work, best, other);
  if (measured.empty()) return false;
  const double as_measured = stats::mean(measured);
  const double enough = not_worth_it(data, best, other, options);
  const auto worse =
      stats::estimate_mean(per_sample_contrast(data.calm_work, best, other), kCalmMethod);
  // Single numbers are taken as they are.
  if (!worse) return other < best && as_measured < enough;
  const bool reported = !stats::two_sided_interval(*worse, options.level).contains(0);
  const double margin = std::log1p(findings::kTieMargin);
  if (!reported && worse->value <= margin && as_measured <= margin) return true;
  return stats::upper_bound(*worse, options.level) < enough && as_measured < enough;
}

}  // namespace

bool Choice::comparable(const schema::RunConfig& a, const schema::RunConfig& b) const {
  return is_same_work(a, b) && may_compare_engines(*view.run, a, b);
}

std::optional<Mismatch> Choice::mismatch(const schema::RunConfig& config) const {
  const auto first = std::find_if(groups.begin(), groups.end(), [&](const findings::Group& group) {
    return comparable(group.key, config);
  });
  return find_mismatch(*view.run, config, first == groups.end() ? config : first->key);
}

std::optional<findings::LeftOutReason> Choice::left_out(const Pick& pick) const {
  const schema::RunConfig& config = row(pick).config;
  if (auto other = mismatch(config)) return other->reason;
  for (const findings::Exclusion& each : groups[pick.group].set_aside) {
    if (each.config.shape.batch_size == config.shape.batch_size) return each.reason;
  }
  return why_left_out(row(pick), bounds);
}

bool Choice::any_warming(std::size_t group) const {
  return std::any_of(groups.begin(), groups.end(), [&](const findings::Group& each) {
    return comparable(each.key, groups[group].key) &&
           std::any_of(each.set_aside.begin(), each.set_aside.end(), [](const auto& aside) {
             return aside.reason == findings::LeftOutReason::warming;
           });
  });
}

Columns Choice::feasible(std::size_t group) const {
  Columns columns;
  for (std::size_t s = 0; s < groups[group].rows.size(); ++s) {
    if (!left_out({group, s})) columns.push_back(s);
  }
  return columns;
}

std::optional<Pick> fastest(const Choice& choice, std::size_t first) {
  const auto& groups = choice.groups;
  std::optional<Pick> pick;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (!choice.comparable(groups[g].key, groups[first].key)) continue;
    const auto column =
        best_column(choice.view.groups[g], choice.feasible(g), choice.options.practical);
    if (!column) continue;
    const Pick candidate{g, *column};
    const double rate = choice.row(candidate).throughput_per_s.value;
    if (!pick || rate > choice.row(*pick).throughput_per_s.value) pick = candidate;
  }
  return pick;
}

std::optional<Pick> nearest(const Choice& choice, std::size_t first) {
  std::optional<Pick> pick;
  for (std::size_t g = 0; g < choice.groups.size(); ++g) {
    const findings::Group& group = choice.groups[g];
    if (!choice.comparable(group.key, choice.groups[first].key)) continue;
    for (std::size_t s = 0; s < group.rows.size(); ++s) {
      const Pick candidate{g, s};
      const schema::RunConfig& config = choice.row(candidate).config;
      if (choice.mismatch(config) || is_set_aside(group.set_aside, config.shape.batch_size))
        continue;
      const double beyond = excess(choice.row(candidate), choice.bounds);
      if (!pick || beyond < excess(choice.row(*pick), choice.bounds)) pick = candidate;
    }
  }
  return pick;
}

Columns tied_columns(const Choice& choice, const Pick& best) {
  const GroupData& data = choice.view.groups[best.group];
  Columns columns;
  for (const std::size_t s : choice.feasible(best.group)) {
    if (s == best.column || is_tied(data, best.column, s, choice.options)) columns.push_back(s);
  }
  return columns;
}

Pick baseline_of(const Choice& choice, const Pick& best) {
  const auto& plan = choice.view.run->header.plan;
  const auto size = choice.options.current_batch_size ? choice.options.current_batch_size
                                                      : plan.current_batch_size;
  std::optional<Pick> smallest;
  for (std::size_t g = 0; g < choice.groups.size(); ++g) {
    const findings::Group& group = choice.groups[g];
    if (!choice.comparable(group.key, choice.groups[best.group].key)) continue;
    if (!smallest) smallest = Pick{g, base_column(group)};
    for (std::size_t s = 0; s < group.rows.size(); ++s) {
      if (group.rows[s].config.shape.batch_size == size) return Pick{g, s};
    }
  }
  return smallest.value_or(Pick{best.group, kBaseColumn});
}

std::size_t competitors(const Choice& choice, const Pick& baseline) {
  std::size_t count = 0;
  for (std::size_t g = 0; g < choice.groups.size(); ++g) {
    if (!choice.comparable(choice.groups[g].key, choice.groups[baseline.group].key)) continue;
    for (const std::size_t s : choice.feasible(g)) {
      if (Pick{g, s} != baseline) ++count;
    }
  }
  return count;
}

RateContrast rate_contrast(const Choice& choice, const Pick& pick, const Pick& baseline) {
  const GroupData& of_pick = choice.view.groups[pick.group];
  const GroupData& of_baseline = choice.view.groups[baseline.group];
  return {per_sample_contrast(of_pick, pick.column, of_baseline, baseline.column),
          unseen_contrast(of_pick, pick.column, of_baseline, baseline.column)};
}

}  // namespace batchscope::analyze
