#include <fmt/format.h>

#include "experiment.hpp"
#include "row.hpp"

namespace batchscope::truth {
namespace {

// Two names for the same model: the specs differ in a digit that changes nothing.
Experiment twins(const std::string& noise, std::vector<int64_t> sizes, int blocks, uint64_t seed) {
  return {{"affine:5ms,2ms" + noise, "affine:5.0ms,2ms" + noise}, std::move(sizes), blocks, seed};
}

Row called_different(const std::string& what, const std::string& noise, std::vector<int64_t> sizes,
                     int blocks) {
  return {"Equal configurations", what, {std::nullopt, 0.05}, [=](uint64_t seed) {
            for (const auto& comparison : analyse(twins(noise, sizes, blocks, seed)).comparisons) {
              const auto& mean = comparison.by_mean;
              if (comparison.significant || (mean && mean->significant)) return true;
            }
            return false;
          }};
}

bool covers(const std::optional<findings::Estimate>& estimate, double truth) {
  return estimate && estimate->ci && estimate->ci->low <= truth && truth <= estimate->ci->high;
}

// One size of the table a seed, so that the experiments stay independent.
Row table_coverage(const std::string& what, const std::string& noise, int blocks) {
  return {"Coverage of intervals", what, {0.93, 0.975}, [=](uint64_t seed) {
            const findings::Summary summary =
                analyse({{"affine:5ms,2ms" + noise}, {1, 2, 4, 8}, blocks, seed});
            const std::size_t s = 1 + seed % 3;
            const findings::ConfigRow& row = summary.groups.front().rows[s];
            const auto b = static_cast<double>(row.config.shape.batch_size);
            return covers(row.efficiency, 7 * b / (5 + 2 * b));
          }};
}

Row comparison_coverage(const std::string& noise) {
  return {"Coverage of intervals",
          "a model against another that is 10 % slower, paired, 12 blocks",
          {0.93, 0.975},
          [=](uint64_t seed) {
            const findings::Summary summary =
                analyse({{"affine:5ms,2ms" + noise, "affine:5.5ms,2.2ms" + noise}, {4}, 12, seed});
            return covers(summary.comparisons.front().ratio, 1.1);
          }};
}

}  // namespace

std::vector<Row> equality_rows() {
  const std::string loud = ";process_sd=0.02;visit_sd=0.05;spike=0.02:1.3";
  return {
      called_different("one pair, 12 blocks", kUsualNoise, {4}, 12),
      called_different("one pair, 6 blocks", kUsualNoise, {4}, 6),
      called_different("one pair, 20 blocks, visit noise 5 %, process 2 %", loud, {4}, 20),
      called_different("one pair, 12 blocks, bursts of neighbours and drift", kRoughNoise, {4}, 12),
      called_different("any of 4 pairs, 12 blocks", kUsualNoise, {1, 2, 4, 8}, 12),
      table_coverage("efficiency in the table, 12 blocks", kUsualNoise, 12),
      table_coverage("efficiency in the table, 6 blocks", kUsualNoise, 6),
      table_coverage("efficiency in the table, 12 blocks, bursts and drift", kRoughNoise, 12),
      comparison_coverage(kUsualNoise)};
}

}  // namespace batchscope::truth
