#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/counted.hpp"
#include "batchscope/charts/scatter.hpp"
#include "batchscope/charts/series.hpp"
#include "batchscope/findings/fitness_rules.hpp"
#include "batchscope/findings/numbers.hpp"
#include "batchscope/findings/wording.hpp"
#include "batchscope/schema/run_file.hpp"

namespace batchscope::charts {
namespace {

using findings::fixed;
using findings::plain;
using schema::RunFile;
using schema::Visit;

constexpr std::size_t kFewestVisits = 6;
constexpr std::size_t kMostDrawn = 500;  // a run
// The axis reaches this many times as far as nine of ten visits, and at least so far (%).
constexpr double kReach = 3;
constexpr double kLeastOff = 3;
constexpr double kNotableDrift = 0.02;

struct MeasuredVisit {
  const Visit* visit = nullptr;
  double at_s = 0;       // into the run, its middle
  double median_ms = 0;  // of its timed iterations
  double off = 0;        // over the median of its configuration, less 1
  std::string disturbed;
};

double median_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

std::string disturbance(const Visit& visit, const RunFile& run) {
  const findings::Watched watched{run.header.machine.logical_cpus,
                                  static_cast<double>(visit.wall_ns) * 1e-9};
  for (const findings::FitnessRule& rule : findings::fitness_rules()) {
    const auto value = rule.value(visit.fitness);
    if (value && is_unfit(rule, *value, watched)) return rule.what;
  }
  return "";
}

bool counts(const Visit& visit) {
  const bool timed = visit.purpose == schema::Purpose::measure ||
                     visit.purpose == schema::Purpose::control ||
                     visit.purpose == schema::Purpose::longer;
  return timed && !visit.samples_ns.empty();
}

std::vector<MeasuredVisit> measured_visits(const RunFile& run) {
  std::vector<MeasuredVisit> all;
  std::map<int, std::vector<double>> by_config;
  double elapsed_s = 0;
  for (const Visit* visit : schema::current_visits(run)) {
    const double wall_s = static_cast<double>(visit->wall_ns) * 1e-9;
    if (counts(*visit)) {
      std::vector<double> times(visit->samples_ns.begin(), visit->samples_ns.end());
      const double median_ms = median_of(std::move(times)) * 1e-6;
      if (median_ms > 0) {
        all.push_back({visit, elapsed_s + wall_s / 2, median_ms, 0, disturbance(*visit, run)});
        by_config[visit->config].push_back(median_ms);
      }
    }
    elapsed_s += wall_s;
  }
  std::map<int, double> typical;
  for (const auto& [config, medians] : by_config) typical[config] = median_of(medians);
  // Of one visit alone nothing can be said.
  std::erase_if(
      all, [&](const MeasuredVisit& each) { return by_config[each.visit->config].size() < 2; });
  for (MeasuredVisit& each : all) each.off = each.median_ms / typical[each.visit->config] - 1;
  return elapsed_s > 0 ? all : std::vector<MeasuredVisit>{};
}

double median_off(const std::vector<MeasuredVisit>& all, std::size_t from, std::size_t to) {
  std::vector<double> some;
  for (std::size_t i = from; i < to; ++i) some.push_back(all[i].off);
  return median_of(std::move(some));
}

double nine_of_ten(std::vector<double> values) {
  for (double& value : values) value = std::abs(value);
  std::sort(values.begin(), values.end());
  return values[(values.size() - 1) * 9 / 10];
}

double nine_of_ten(const std::vector<MeasuredVisit>& all) {
  return nine_of_ten(base::mapped(all, [](const MeasuredVisit& each) { return each.off; }));
}

constexpr std::size_t kFewestOfAThird = 4;  // visits; fewer have no scatter to speak of

struct Drift {
  double value = 0;   // 0.1: the last third of the visits took 10 % longer than the first
  double chance = 0;  // less than this is what thirds without any drift differ by
};

// Chance is three standard errors of a difference of medians (1.253 sd / sqrt n each) of normal
// visits whose scatter about the median of their third is as wide as nine of ten show.
Drift drift_of(const std::vector<MeasuredVisit>& all) {
  constexpr double kErrors = 3, kOfMedian = 1.2533, kNineOfTenOfNormal = 1.6449;
  const std::size_t third = all.size() / 3;
  if (third < kFewestOfAThird) return {};
  const std::size_t last = all.size() - third;
  const double at_first = median_off(all, 0, third);
  const double at_last = median_off(all, last, all.size());
  std::vector<double> scatter;
  for (std::size_t i = 0; i < third; ++i) {
    scatter.push_back(all[i].off - at_first);
    scatter.push_back(all[last + i].off - at_last);
  }
  const double sd = nine_of_ten(std::move(scatter)) / kNineOfTenOfNormal;
  return {(1 + at_last) / (1 + at_first) - 1,
          kErrors * kOfMedian * sd * std::sqrt(2 / static_cast<double>(third))};
}

std::string visits_title(const std::vector<MeasuredVisit>& all) {
  const auto disturbed = std::count_if(
      all.begin(), all.end(), [](const MeasuredVisit& each) { return !each.disturbed.empty(); });
  if (disturbed > 0) {
    return fmt::format("{} of {} ran on a disturbed machine", disturbed,
                       base::counted(all.size(), "visit"));
  }
  const Drift drift = drift_of(all);
  if (std::abs(drift.value) >= std::max(kNotableDrift, drift.chance)) {
    return fmt::format("The last third of the visits took {} {} than the first",
                       findings::percent(std::abs(drift.value)),
                       drift.value > 0 ? "longer" : "less time");
  }
  return fmt::format("90 % of the visits are within ±{} of their size's typical time",
                     findings::percent(nine_of_ten(all)));
}

ScatterPoint point_of(const MeasuredVisit& each, const RunFile& run, double reach) {
  const schema::RunConfig& config = run.configs[static_cast<std::size_t>(each.visit->config)];
  const double off = 100 * each.off;
  const double shown = std::clamp(off, -reach, reach);
  std::string text = fmt::format("{} ms, {}{} % from its typical time", plain(each.median_ms),
                                 off < 0 ? "−" : "+", fixed(std::abs(off), 1));
  if (!each.disturbed.empty()) text += "; " + each.disturbed;
  const std::size_t look = shown == off ? 0 : 1;
  return {
      each.at_s, shown,
      {},        fmt::format("block {}, batch {}", each.visit->block + 1, config.shape.batch_size),
      "",        text,
      look,      each.disturbed.empty() ? ScatterMark::none : ScatterMark::disturbed};
}

Scatter scatter_of(const RunFile& run, const std::vector<MeasuredVisit>& all) {
  const double reach = std::max(kLeastOff, kReach * 100 * nine_of_ten(all));
  const std::size_t every = (all.size() + kMostDrawn - 1) / kMostDrawn;
  const char* const colour = series_style(0).colour;
  Scatter scatter{
      .id = "visits",
      .title = visits_title(all),
      .subtitle = "",
      .across = "time into the run (s)",
      .up = "time relative to the configuration's typical time (%)",
      .note = every == 1 ? "" : fmt::format("The chart shows only every {}th visit.", every),
      .styles = {{"a visit", colour, 0}, {"beyond the axis", colour, 2, true}},
      .points = {},
      .bound = {},
      .level = ScatterBound{0, "typical time"},
      .stops = "visits",
      .linear = true};
  for (std::size_t i = 0; i < all.size(); i += every) {
    scatter.points.push_back(point_of(all[i], run, reach));
  }
  return scatter;
}

}  // namespace

std::vector<Scatter> visits_scatters(std::span<const RunFile> runs) {
  std::vector<Scatter> all;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::vector<MeasuredVisit> visits = measured_visits(runs[i]);
    if (visits.size() < kFewestVisits) continue;
    all.push_back(scatter_of(runs[i], visits));
    if (i > 0) all.back().id += fmt::format("_{}", i + 1);
    if (runs.size() > 1) all.back().title = fmt::format("Run {}: {}", i + 1, all.back().title);
  }
  return all;
}

}  // namespace batchscope::charts
