// Equal things that are called different where the noise misleads: runs, models, sizes.
#include <fmt/format.h>

#include <algorithm>

#include "experiment.hpp"
#include "row.hpp"

namespace batchscope::truth {
namespace {

const std::string kLaw = "affine:5ms,2ms";

bool any_significant(const findings::Summary& summary) {
  return std::any_of(summary.comparisons.begin(), summary.comparisons.end(),
                     [](const auto& comparison) {
                       const auto& mean = comparison.by_mean;
                       return comparison.significant || (mean && mean->significant);
                     });
}

Row equal_runs(const std::string& what, const std::string& noise, std::vector<int64_t> sizes,
               int blocks) {
  return {"Equal runs called different",
          fmt::format("runs: {}, {} blocks", what, blocks),
          {std::nullopt, 0.05},
          [=](uint64_t seed) {
            return any_significant(analyse_two_runs({{kLaw + noise}, sizes, blocks, seed}));
          }};
}

// Laws of the same times: the specs differ in a digit that changes nothing.
struct Twins {
  std::string one;
  std::string other;
};
const Twins kTwins = {kLaw, "affine:5.0ms,2ms"};
// Of 130 ms at batch 4, so that a visit has few iterations.
const Twins kLongTwins = {"affine:50ms,20ms", "affine:50.0ms,20ms"};

Row equal_models(const std::string& what, const std::string& noise, int blocks,
                 const Twins& laws = kTwins) {
  return {"Equal models called different where the noise misleads",
          fmt::format("twins: one pair, {} blocks, {}", blocks, what),
          {std::nullopt, 0.05},
          [=](uint64_t seed) {
            const std::vector<std::string> twins = {laws.one + noise, laws.other + noise};
            return any_significant(analyse({twins, {4}, blocks, seed}));
          }};
}

// That nothing is claimed of what warms up must not come from claiming nothing at all. Visits of
// half a second: in shorter ones a warm-up may not end, and nothing is told.
Row slower_model(const std::string& what, const std::string& noise, int blocks) {
  return {"Models that differ beneath a warm-up, called different",
          fmt::format("10 % slower: one pair, {} blocks, visits of 0.5 s, {}", blocks, what),
          {0.9, std::nullopt},
          [=](uint64_t seed) {
            const std::vector<std::string> pair = {kLaw + noise, "affine:5.5ms,2.2ms" + noise};
            Experiment experiment{pair, {4}, blocks, seed};
            experiment.visit_s = 0.5;
            return any_significant(analyse(experiment));
          }};
}

// The gain of the pick is 0, whichever it is.
Row equal_sizes(const std::string& what, const std::string& noise, int blocks) {
  return {"Gain of the recommended size where all are equal",
          fmt::format("equal sizes: 6 sizes to 32, {} blocks, {}: the interval excludes no gain",
                      blocks, what),
          {std::nullopt, 0.05},
          [=](uint64_t seed) {
            const auto summary =
                analyse({{"affine:0ms,10ms" + noise}, {1, 2, 4, 8, 16, 32}, blocks, seed});
            if (summary.recommendations.empty()) return false;
            const auto& gain = summary.recommendations.front().gain;
            return gain && gain->ci && (gain->ci->low > 0 || gain->ci->high < 0);
          }};
}

std::vector<Row> rows_of_adverse_noise(int blocks) {
  const std::string still = kStillNoise;
  return {equal_models("30 % of processes 40 % slower", still + ";modes=0.3:1.4", blocks),
          equal_models("half of the processes twice as slow", still + ";modes=0.5:2", blocks),
          equal_models("heavy tails, 2 degrees of freedom",
                       ";process_sd=0.005;visit_sd=0.015;visit_df=2", blocks),
          equal_models("heavy tails, 3 degrees of freedom",
                       ";process_sd=0.005;visit_sd=0.015;visit_df=3", blocks),
          equal_models("autocorrelated visits", still + ";autocorrelated=0.05:0.95", blocks),
          equal_models("a step of 30 % in the middle", still + fmt::format(";step={}:1.3", blocks),
                       blocks)};
}

}  // namespace

std::vector<Row> two_run_rows() {
  const std::string usual = kUsualNoise, scatter = usual + ";run_sd=0.02";
  std::vector<Row> rows = {
      equal_runs("that do not scatter, one size", usual, {4}, 12),
      equal_runs("that scatter by 2 %, one size", scatter, {4}, 12),
      equal_runs("that scatter by 2 %, one size", scatter, {4}, 6),
      equal_runs("that scatter by 2 %, any of 4 sizes", scatter, {1, 2, 4, 8}, 12),
      equal_sizes("the usual noise", usual, 12),
      equal_sizes("the usual noise", usual, 6),
      equal_sizes("30 % of processes 40 % slower", std::string(kStillNoise) + ";modes=0.3:1.4",
                  12)};
  for (const int blocks : {6, 12}) {
    for (Row& row : rows_of_adverse_noise(blocks)) rows.push_back(std::move(row));
  }
  for (Row& row : rows) row.tested = false;
  // Last, so that no other row has other seeds for them.
  const std::string still = kStillNoise, warming = still + ";settles=4:10:1.3";
  for (const int blocks : {6, 12}) {
    rows.push_back(
        equal_models("a warm-up of 30 % that dies away over 10 iterations", warming, blocks));
  }
  rows.push_back(equal_models("a warm-up of 30 % that dies away over 3 iterations of 130 ms",
                              still + ";settles=4:3:1.3", 12, kLongTwins));
  rows.push_back(slower_model("a warm-up of 30 % that dies away over 10 iterations", warming, 12));
  return rows;
}

}  // namespace batchscope::truth
