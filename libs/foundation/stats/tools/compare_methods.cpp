// Prints how often Student's t, Yuen's t as published and Yuen's t as calibrated here call two
// equal configurations different, how often they prove a real difference, and how wide their
// intervals are, under the noise of the method: the figures on which kDefaultMethod was chosen.
//
//   compare_methods [replications]       (default 100,000: about a minute)

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "batchscope/stats/mean_estimate.hpp"
#include "noise_model.hpp"
#include "student.hpp"
#include "yuen.hpp"

namespace batchscope::stats {
namespace {

constexpr uint64_t kSeed = 20240608;
constexpr std::array<std::size_t, 5> kBlocks = {6, 8, 12, 16, 20};

struct Scenario {
  const char* name;
  NoiseModel model;
};

constexpr std::array<Scenario, 6> kScenarios = {{
    {"visit 2 %, process 1 %, spikes", {0.02, 0.01, 0.02, 0.30}},
    {"visit 3.5 %, process 1.5 %, spikes", {0.035, 0.015, 0.02, 0.30}},
    {"visit 5 %, process 2 %, spikes", {0.05, 0.02, 0.02, 0.30}},
    {"visit 1.5 %, process 1 %, spikes", {0.015, 0.01, 0.02, 0.30}},
    {"visit 3.5 %, process 1.5 %, no spikes", {0.035, 0.015, 0.0, 0.0}},
    {"visit 3.5 %, process 1.5 %, 10 % spikes", {0.035, 0.015, 0.10, 0.30}},
}};

MeanEstimate published_yuen(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const PlainYuen plain = plain_yuen(values);
  return {plain.trimmed_mean, plain.se, plain.df, values.size(), Method::yuen_trimmed};
}

// One row of the table for one method, summed up over replications.
struct Tally {
  std::array<std::size_t, 3> false_calls{};  // two-sided at kLevels
  std::size_t proven = 0;
  double half_widths = 0.0;

  static constexpr std::array<double, 3> kLevels = {0.05, 0.01, 0.001};

  void add_equal(const MeanEstimate& estimate) {
    const double p = p_differs(estimate);
    for (std::size_t i = 0; i < kLevels.size(); ++i) false_calls[i] += p < kLevels[i] ? 1U : 0U;
    half_widths += two_sided_interval(estimate, 0.95).half_width();
  }
};

// A 10 % excess counts as proven when it surely exceeds 3 %, at the level of a family of 8 claims.
bool proves_excess(const MeanEstimate& shifted) {
  return p_greater(shifted, std::log1p(0.03)) < 0.05 / 8.0;
}

void add(Tally& tally, MeanEstimate estimate) {
  tally.add_equal(estimate);
  estimate.value += std::log1p(0.10);
  if (proves_excess(estimate)) ++tally.proven;
}

void print(const char* method, const Tally& tally, std::size_t replications) {
  const auto total = static_cast<double>(replications);
  std::printf("    %-16s", method);
  for (const std::size_t calls : tally.false_calls) {
    std::printf("  %7.3f %%", 100.0 * static_cast<double>(calls) / total);
  }
  std::printf("  %8.1f %%  %8.2f %%\n", 100.0 * static_cast<double>(tally.proven) / total,
              100.0 * tally.half_widths / total);
}

void compare(const Scenario& scenario, std::size_t blocks, std::size_t replications) {
  Rng rng(mix_seed(kSeed, blocks));
  Tally student;
  Tally published;
  Tally calibrated;
  for (std::size_t i = 0; i < replications; ++i) {
    const auto contrasts = draw_contrasts(rng, scenario.model, blocks);
    add(student, *estimate_mean(contrasts, Method::student_t));
    add(published, published_yuen(contrasts));
    add(calibrated, *estimate_mean(contrasts, Method::yuen_trimmed));
  }
  std::printf("  %zu blocks\n", blocks);
  print("student_t", student, replications);
  print("yuen, published", published, replications);
  print("yuen, calibrated", calibrated, replications);
}

}  // namespace
}  // namespace batchscope::stats

int main(int argc, char** argv) {
  namespace stats = batchscope::stats;
  const std::size_t replications = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100'000;
  std::printf("seed %llu, %zu replications a row; paired contrasts of two visits a block\n",
              static_cast<unsigned long long>(stats::kSeed), replications);
  std::printf(
      "columns: equal called different at 0.05, 0.01, 0.001; 10 %% excess proven > 3 %% at\n");
  std::printf("         0.05 / 8; mean half-width of the 95 %% interval\n");
  for (const auto& scenario : stats::kScenarios) {
    std::printf("%s\n", scenario.name);
    for (const std::size_t blocks : stats::kBlocks) stats::compare(scenario, blocks, replications);
  }
  return 0;
}
