// Histories of runs that scatter among each other, with and without a step.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "batchscope/compare/trend.hpp"
#include "batchscope/schema/run_file.hpp"
#include "batchscope/stats/rng.hpp"
#include "experiment.hpp"
#include "row.hpp"

namespace batchscope::truth {
namespace {

using findings::Trend;
using findings::TrendChange;
using findings::TrendSeries;

const char* const kTopic = "Changes over runs that scatter by 1 %, 3 sizes, 6 blocks each";

// From run `from` on everything takes `factor` times as long; `bad` runs in a row, anywhere, are 30
// % slower for themselves.
struct History {
  std::size_t runs = 16;
  std::size_t from = 16;
  double factor = 1;
  std::size_t bad = 0;
  std::string noise = kUsualNoise;
  // Runs wander, each to this degree as the one before it, rather than scatter for themselves; or
  // they rise all the way, by `drift` in all.
  std::optional<double> correlation{};
  double drift = 0;
};

// ln of how much longer each run takes because of what changes little by little.
std::vector<double> wandering(const History& history, uint64_t seed) {
  constexpr double kSd = 0.01;
  const double correlation = history.correlation.value_or(0);
  stats::Rng rng(stats::mix_seed(seed, 0xd21f7));
  std::vector<double> values;
  double at = rng.normal();
  for (std::size_t i = 0; i < history.runs; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(history.runs - 1);
    values.push_back((history.correlation ? kSd * at : 0) + history.drift * share);
    at = correlation * at + std::sqrt(1 - correlation * correlation) * rng.normal();
  }
  return values;
}

schema::RunFile run_of(const History& history, std::size_t i, std::size_t first_bad, uint64_t seed,
                       double wandered) {
  constexpr double kBad = 1.3;
  const bool bad = first_bad <= i && i < first_bad + history.bad;
  const double by = (i < history.from ? 1 : history.factor) * (bad ? kBad : 1) * std::exp(wandered);
  const std::string law = fmt::format("affine:{:.6f}ms,{:.6f}ms{};run_sd={}", 5 * by, 2 * by,
                                      history.noise, history.correlation ? 0.002 : 0.01);
  schema::RunFile run = measure({{law}, {1, 4, 16}, 6, stats::mix_seed(seed, i)});
  // Versions of one model.
  for (schema::RunConfig& config : run.configs) config.model = "m";
  return run;
}

Trend trend_of(const History& history, uint64_t seed) {
  stats::Rng rng(stats::mix_seed(seed, 0xbad));
  const std::size_t first_bad = rng.below(history.runs - history.bad + 1);
  const std::vector<double> wandered = wandering(history, seed);
  std::vector<schema::RunFile> all;
  for (std::size_t i = 0; i < history.runs; ++i) {
    all.push_back(run_of(history, i, first_bad, seed, wandered[i]));
  }
  std::vector<tables::RunView> views;
  std::vector<std::string> labels;
  for (const schema::RunFile& run : all) {
    views.push_back(tables::view_run(run));
    labels.push_back(fmt::format("{}", labels.size()));
  }
  return compare::trend_of(views, labels);
}

template <class Holds>
bool any_change(const Trend& trend, const Holds& holds) {
  return std::any_of(trend.series.begin(), trend.series.end(), [&](const TrendSeries& series) {
    return std::any_of(series.changes.begin(), series.changes.end(), holds);
  });
}

Row false_change(const std::string& what, double at_most, const History& history) {
  return {kTopic,
          fmt::format("trend: {} equal runs{}: any change", history.runs, what),
          {std::nullopt, at_most},
          [=](uint64_t seed) {
            return any_change(trend_of(history, seed), [](const TrendChange&) { return true; });
          }};
}

Row found_change(const std::string& what, double at_least, const History& history) {
  const std::size_t from = history.from;
  return {kTopic,
          fmt::format("trend: {}, {} runs: found, within its interval", what, history.runs),
          {at_least, std::nullopt},
          [=](uint64_t seed) {
            return any_change(trend_of(history, seed), [&](const TrendChange& change) {
              return change.earliest <= from && from <= change.latest;
            });
          }};
}

Row missed_interval(const std::string& what, const History& history) {
  const std::size_t from = history.from;
  return {
      kTopic,
      fmt::format("trend: {}, {} runs: any change whose interval misses it", what, history.runs),
      {std::nullopt, 0.05},
      [=](uint64_t seed) {
        return any_change(trend_of(history, seed), [&](const TrendChange& change) {
          return from < change.earliest || change.latest < from;
        });
      }};
}

// What a history without a change says would be found of one size, planted in a fresh one.
Row smallest_step(std::size_t runs) {
  return {
      kTopic,
      fmt::format("trend: a step of the size stated by {} equal runs is found at that size", runs),
      {0.8, std::nullopt},
      [=](uint64_t seed) {
        const Trend equal = trend_of({.runs = runs, .from = runs}, seed);
        const double factor = 1 + equal.series.front().detectable.value_or(0);
        const History planted{.runs = runs, .from = runs / 2, .factor = factor};
        const Trend found = trend_of(planted, stats::mix_seed(seed, 0xf5e5));
        return !found.series.front().changes.empty();
      }};
}

}  // namespace

std::vector<Row> trend_rows() {
  const History middle{.from = 8, .factor = 1.08};
  return {false_change("", 0.05, {.runs = 12, .from = 12}),
          false_change("", 0.05, {}),
          false_change(", one of them 30 % slower", 0.05, {.bad = 1}),
          false_change(", two in a row 30 % slower", 0.1, {.bad = 2}),
          false_change(", a busy machine", 0.05, {.noise = kBusyNoise}),
          false_change(", each like the one before it (0.3)", 0.05, {.correlation = 0.3}),
          false_change(", each like the one before it (0.6)", 0.05, {.correlation = 0.6}),
          false_change(", each like the one before it (0.9)", 0.05, {.correlation = 0.9}),
          false_change(", each like the one before it (0.9)", 0.05,
                       {.runs = 40, .from = 40, .correlation = 0.9}),
          false_change(" but for a slow rise of 8 % over all", 0.05, {.drift = 0.08}),
          false_change(" but for a slow rise of 8 % over all", 0.05,
                       {.runs = 40, .from = 40, .drift = 0.08}),
          found_change("a step of 8 % in the middle", 0.95, middle),
          found_change("a step of 10 % before the last five", 0.95, {.from = 11, .factor = 1.1}),
          missed_interval("a step of 8 % in the middle", middle),
          missed_interval("a step of 10 % before the last five", {.from = 11, .factor = 1.1}),
          smallest_step(12),
          smallest_step(16)};
}

}  // namespace batchscope::truth
