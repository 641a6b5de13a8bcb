#include "loader_rows.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/schema/phases.hpp"
#include "batchscope/schema/visit.hpp"
#include "batchscope/stats/descriptive.hpp"
#include "batchscope/stats/mean_estimate.hpp"
#include "batchscope/tables/estimates.hpp"
#include "batchscope/timing/evidence.hpp"
#include "batchscope/timing/visits.hpp"
#include "step_lengths.hpp"

namespace batchscope::analyze {
namespace {

using findings::Estimate;
using findings::LoaderRow;
using findings::StepTime;
using schema::LoaderFacts;
using stats::Interval;
using tables::ConfigData;
using tables::kNsPerMs;
using tables::UsableVisit;

// Of the iteration of one more visit: nine of ten lie in it.
constexpr double kLevel = 0.90;

double milliseconds(int64_t ns) {
  return static_cast<double>(ns) / kNsPerMs;
}

// Of a phase of the visit, an iteration.
double phase_ms(const schema::Visit& visit, std::string_view name) {
  for (const schema::Phase& phase : visit.phases) {
    if (phase.name == name && phase.count > 0) {
      return milliseconds(phase.host_ns) / static_cast<double>(phase.count);
    }
  }
  return 0;
}

using Visits = std::vector<UsableVisit>;

// The median over visits of what each says.
template <class Value>
double median_of(const Visits& visits, const Value& value) {
  return stats::median(base::mapped(
      visits, [&](const UsableVisit& each) -> double { return value(*each.visit->loader); }));
}

double median_ms(const Visits& visits, int64_t LoaderFacts::*time) {
  return median_of(visits, [&](const LoaderFacts& facts) { return milliseconds(facts.*time); });
}

// The values of further visits scatter as these do, and their centre is known no better than this.
std::optional<Interval> of_one_more(const std::vector<double>& values) {
  if (values.size() < timing::kVisitsForInterval) return std::nullopt;
  auto estimate = stats::estimate_mean(values, stats::Method::student_t);
  if (!estimate) return std::nullopt;
  estimate->se *= std::sqrt(static_cast<double>(values.size()) + 1);
  return stats::two_sided_interval(*estimate, kLevel);
}

Estimate of_times(const std::vector<double>& times_ms) {
  const auto logs = base::mapped(times_ms, [](double ms) { return std::log(ms); });
  Estimate made{std::exp(stats::mean(logs)), of_one_more(logs)};
  if (made.ci) made.ci = Interval{std::exp(made.ci->low), std::exp(made.ci->high)};
  return made;
}

// May be nothing.
Estimate of_waits(const std::vector<double>& waits_ms) {
  Estimate made{stats::mean(waits_ms), of_one_more(waits_ms)};
  if (made.ci) made.ci->low = std::max(made.ci->low, 0.0);
  return made;
}

StepTime step_time(double step_ms, const std::vector<double>& times_ms,
                   const std::vector<double>& waits_ms) {
  return {step_ms, of_times(times_ms), of_waits(waits_ms)};
}

// What every visit measured, shortest first; empty where the step is the user's own.
std::vector<StepTime> steps_of(const Visits& visits) {
  const LoaderFacts& first = *visits.front().visit->loader;
  std::vector<StepTime> steps;
  const auto same = [&](const LoaderFacts& facts) {
    return facts.step_ns == first.step_ns && facts.other_steps.size() == first.other_steps.size();
  };
  if (first.step_ns <= 0 || !std::ranges::all_of(visits, [&](const UsableVisit& each) {
        return same(*each.visit->loader);
      })) {
    return steps;
  }
  const auto waits = base::mapped(
      visits, [](const UsableVisit& each) { return phase_ms(*each.visit, schema::phases::kLoad); });
  const auto times = base::mapped(
      visits, [](const UsableVisit& each) { return timing::mean_ns(each) / kNsPerMs; });
  steps.push_back(step_time(milliseconds(first.step_ns), times, waits));
  for (std::size_t i = 0; i < first.other_steps.size(); ++i) {
    const auto of = [&](int64_t schema::LoopTime::*time) {
      return base::mapped(visits, [&](const UsableVisit& each) {
        return milliseconds(each.visit->loader->other_steps[i].*time);
      });
    };
    steps.push_back(step_time(milliseconds(first.other_steps[i].step_ns),
                              of(&schema::LoopTime::iteration_ns), of(&schema::LoopTime::wait_ns)));
  }
  std::ranges::sort(steps, {}, &StepTime::step_ms);
  return steps;
}

// Of the workers of a visit, the mean; of the visits, the median.
std::optional<schema::WorkerMemory> memory_of(const Visits& visits,
                                              std::vector<schema::WorkerMemory> LoaderFacts::*of) {
  const auto all = [&](const LoaderFacts& facts, int64_t schema::WorkerMemory::*part) {
    double sum = 0;
    for (const schema::WorkerMemory& each : facts.*of) sum += static_cast<double>(each.*part);
    return sum / static_cast<double>((facts.*of).size());
  };
  if (std::ranges::any_of(
          visits, [&](const UsableVisit& each) { return ((*each.visit->loader).*of).empty(); })) {
    return std::nullopt;
  }
  const auto median = [&](int64_t schema::WorkerMemory::*part) {
    return static_cast<int64_t>(
        median_of(visits, [&](const LoaderFacts& facts) { return all(facts, part); }));
  };
  return schema::WorkerMemory{median(&schema::WorkerMemory::pss_bytes),
                              median(&schema::WorkerMemory::private_dirty_bytes)};
}

void put_samples(const Visits& visits, LoaderRow& row) {
  row.samples = visits.front().visit->loader->samples;
  if (!row.samples) return;
  row.fewest_samples = row.most_samples = *row.samples;
  for (const UsableVisit& each : visits) {
    const int64_t samples = each.visit->loader->samples.value_or(0);
    row.fewest_samples = std::min(row.fewest_samples, samples);
    row.most_samples = std::max(row.most_samples, samples);
  }
}

LoaderRow row_of(const ConfigData& config, const Visits& visits) {
  LoaderRow row;
  row.config = config.config;
  row.n = static_cast<int>(visits.size());
  const auto logs = timing::logs_of(visits, timing::mean_ns);
  row.iteration_ms =
      tables::scaled(tables::exp_estimate(logs, 0.95, stats::Method::student_t), 1 / kNsPerMs);
  row.wait_ms = stats::median(base::mapped(visits, [](const UsableVisit& each) {
    return phase_ms(*each.visit, schema::phases::kLoad);
  }));
  row.own_ms = std::max(0.0, row.iteration_ms.value - row.wait_ms);
  row.fetch_ms = median_ms(visits, &LoaderFacts::fetch_ns);
  row.collate_ms = median_ms(visits, &LoaderFacts::collate_ns);
  row.typical_ms = median_ms(visits, &LoaderFacts::typical_ns);
  row.slow_ms = median_ms(visits, &LoaderFacts::slow_ns);
  row.cpu_ms = median_ms(visits, &LoaderFacts::cpu_ns);
  row.first_batch_ms = median_ms(visits, &LoaderFacts::first_batch_ns);
  row.new_epoch_ms = median_ms(visits, &LoaderFacts::new_epoch_ns);
  if (visits.front().visit->loader->handover_ns) {
    row.handover_ms = median_of(visits, [](const LoaderFacts& facts) {
      return milliseconds(facts.handover_ns.value_or(0));
    });
  }
  put_samples(visits, row);
  row.copies = visits.back().visit->loader->copies;
  row.begun = memory_of(visits, &LoaderFacts::memory_begun);
  row.ended = memory_of(visits, &LoaderFacts::memory_ended);
  row.epoch_share = median_of(visits, [](const LoaderFacts& facts) { return facts.epoch_share; });
  row.steps = steps_of(visits);
  if (row.steps.size() < 2) return row;
  row.between = between_lengths(row.steps);
  put_shortest_step(row.handover_ms.value_or(0), row);
  return row;
}

}  // namespace

std::vector<LoaderRow> loader_rows(const tables::RunView& view) {
  std::vector<LoaderRow> rows;
  for (const tables::GroupData& group : view.groups) {
    for (const ConfigData& config : group.configs) {
      const Visits visits = base::kept(
          config.visits, [](const UsableVisit& each) { return each.visit->loader.has_value(); });
      if (!visits.empty()) rows.push_back(row_of(config, visits));
    }
  }
  return rows;
}

}  // namespace batchscope::analyze
