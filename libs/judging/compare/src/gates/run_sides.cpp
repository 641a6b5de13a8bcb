#include "run_sides.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/stats/descriptive.hpp"
#include "batchscope/timing/contrasted.hpp"
#include "batchscope/timing/evidence.hpp"
#include "comparisons/comparisons.hpp"
#include "comparisons/reach.hpp"
#include "comparisons/slow_visits.hpp"

namespace batchscope::compare {
namespace {

using stats::Method;
using tables::ConfigData;
using tables::GroupData;
using tables::RunView;
using tables::TestOptions;

// The counterpart of a configuration in a run; null where the run has none.
const ConfigData* counterpart_in(const RunView& run, const RunSides& sides,
                                 const schema::RunConfig& base) {
  for (const GroupData& group : run.groups) {
    for (const ConfigData& config : group.configs) {
      if (is_counterpart(sides, base, config.config)) return &config;
    }
  }
  return nullptr;
}

// One configuration in every run of a side.
std::vector<timing::ConfigInRun> places_of(const RunSides& sides, std::span<const RunView> runs,
                                           const schema::RunConfig& base) {
  std::vector<timing::ConfigInRun> places;
  for (const RunView& run : runs) {
    const ConfigData* const config = counterpart_in(run, sides, base);
    places.push_back({run.run, config == nullptr ? nullptr : &config->config, &run.warmups});
  }
  return places;
}

// ln times, empty where a run has none.
LogsByRun logs_of_side(const std::vector<timing::WarmVisits>& runs, TimeOfVisit time) {
  LogsByRun logs;
  for (const timing::WarmVisits& visits : runs)
    logs.push_back(timing::logs_of(visits.visits, time));
  return logs;
}

std::vector<double> values_of(const LogsByRun& runs, Method method) {
  const auto measured = base::kept(runs, [](const auto& logs) { return !logs.empty(); });
  return base::mapped(measured, [method](const auto& logs) { return centre_of(logs, method); });
}

std::vector<double> differences(const LogsByRun& base, const LogsByRun& other, Method method) {
  std::vector<double> values;
  for (std::size_t i = 0; i < std::min(base.size(), other.size()); ++i) {
    if (base[i].empty() || other[i].empty()) continue;
    values.push_back(centre_of(other[i], method) - centre_of(base[i], method));
  }
  return values;
}

// Both sides of one configuration.
struct BothSides {
  LogsByRun base, other;
};

BothSides both_of(const timing::ContrastedRuns& runs, TimeOfVisit time) {
  return {logs_of_side(runs.a, time), logs_of_side(runs.b, time)};
}

struct OverRuns {
  std::optional<stats::MeanEstimate> estimate;
  double difference = 0;  // of the centres, also where there is no estimate
  std::size_t n = 0;      // of the smaller side, or of pairs
};

// Runs are few, so that Student's t is all there is, whatever a run's value is, and none of them is
// an accident.
OverRuns over_runs(const BothSides& both, Method of_visits, bool in_pairs) {
  if (in_pairs) {
    const std::vector<double> values = differences(both.base, both.other, of_visits);
    if (values.empty()) return {};
    return {stats::estimate_mean(values, Method::student_t), stats::mean(values), values.size()};
  }
  const std::vector<double> a = values_of(both.other, of_visits);
  const std::vector<double> b = values_of(both.base, of_visits);
  if (a.empty() || b.empty()) return {};
  return {stats::estimate_difference(a, b, Method::student_t), stats::mean(a) - stats::mean(b),
          std::min(a.size(), b.size())};
}

LogRatio log_ratio_of(const BothSides& both, const RunSides& sides, const TestOptions& options) {
  const auto by = [&](Method method) { return over_runs(both, method, sides.in_pairs).estimate; };
  const auto plain = by(Method::student_t);
  return {by(options.method), plain, by(Method::yuen_trimmed), plain};
}

bool all_repeated(std::span<const RunView> runs) {
  return std::all_of(runs.begin(), runs.end(), [](const RunView& run) { return run.repeated; });
}

bool all_have_these_texts(const RunSides& sides, const schema::RunConfig& config) {
  const RunView& first = sides.baseline.front();
  const auto same = [&](const RunView& run) { return !has_other_texts(first, run, config); };
  return std::all_of(sides.baseline.begin(), sides.baseline.end(), same) &&
         std::all_of(sides.candidate.begin(), sides.candidate.end(), same);
}

// Of the run that may be off by the most: the runs of a side begin alike.
timing::Unseen unseen_of(const RunSides& sides, std::span<const RunView> runs,
                         const schema::RunConfig& base) {
  timing::Unseen most;
  for (const RunView& run : runs) {
    const ConfigData* const config = counterpart_in(run, sides, base);
    if (config == nullptr) continue;
    most.longer = std::max(most.longer, config->unseen.longer);
    most.shorter = std::max(most.shorter, config->unseen.shorter);
  }
  return most;
}

std::optional<Open> compare_one(const RunSides& sides, const schema::RunConfig& config,
                                const RunView& view, const TestOptions& options) {
  if (!all_have_these_texts(sides, config)) return std::nullopt;
  const timing::ContrastedRuns runs = timing::contrasted_runs(
      places_of(sides, sides.baseline, config), places_of(sides, sides.candidate, config));
  const BothSides both = both_of(runs, timing::typical_ns);
  const OverRuns plain = over_runs(both, Method::student_t, sides.in_pairs);
  if (plain.n == 0) return std::nullopt;
  Open open;
  open.comparison.axis = "run";
  open.comparison.test =
      sides.in_pairs ? findings::ComparisonTest::paired_runs : findings::ComparisonTest::welch_runs;
  open.comparison.config = config;
  open.base = open.comparison.base = kBaselineSide;
  open.other = open.comparison.other = kCandidateSide;
  open.where = where_words(config, view, "run");
  open.comparison.n = static_cast<int>(plain.n);
  open.comparison.ratio.value =
      std::exp(over_runs(both, options.method, sides.in_pairs).difference);
  open.typical = log_ratio_of(both, sides, options);
  open.base_ms = to_ms(stats::mean(values_of(both.base, options.method)));
  open.other_ms = to_ms(stats::mean(values_of(both.other, options.method)));
  const BothSides means = both_of(runs, timing::mean_ns);
  open.mean = log_ratio_of(means, sides, options);
  open.mean_base_ms = to_ms(stats::mean(values_of(means.base, options.method)));
  open.mean_other_ms = to_ms(stats::mean(values_of(means.other, options.method)));
  if (all_repeated(sides.baseline) && all_repeated(sides.candidate)) {
    open.comparison.reach = reach_of(runs.a, runs.b);
  }
  open.comparison.slow_visits =
      slow_visits(both.base, both.other, open.typical.plain, open.typical.trimmed);
  open.mean.unseen = timing::unseen_of_ratio(unseen_of(sides, sides.candidate, config),
                                             unseen_of(sides, sides.baseline, config));
  open.settled = runs.settled;
  open.may_prove = plain.n >= timing::kRunsToProve && all_repeated(sides.baseline) &&
                   all_repeated(sides.candidate) && open.settled;
  return open;
}

std::set<std::string> models_of(std::span<const RunView> runs) {
  std::set<std::string> models;
  for (const RunView& run : runs) {
    for (const schema::RunConfig& config : run.run->configs) models.insert(config.model);
  }
  return models;
}

}  // namespace

RunSides sides_of(std::span<const RunView> views, std::size_t baseline_runs, bool in_pairs) {
  const std::size_t first = std::min(baseline_runs, views.size());
  RunSides sides{views.first(first), views.subspan(first), in_pairs};
  sides.one_model = models_of(sides.baseline).size() == 1 && models_of(sides.candidate).size() == 1;
  return sides;
}

bool is_counterpart(const RunSides& sides, const schema::RunConfig& base,
                    const schema::RunConfig& other) {
  if (!sides.one_model) return base == other;
  schema::RunConfig like = other;
  like.model = base.model;
  return base == like;
}

std::vector<Open> compare_sides(const RunSides& sides, const TestOptions& options) {
  std::vector<Open> all;
  std::set<schema::RunConfig> seen;
  for (const RunView& view : sides.baseline) {
    for (const GroupData& group : view.groups) {
      for (const ConfigData& config : group.configs) {
        if (!seen.insert(config.config).second) continue;
        auto open = compare_one(sides, config.config, view, options);
        if (open) all.push_back(*std::move(open));
      }
    }
  }
  return all;
}

}  // namespace batchscope::compare
