// Computes the table in src/yuen_calibration.inc: for each n, the scale of the standard error and
// the degrees of freedom with which Student's t reproduces the simulated tail of Yuen's statistic
// under normal noise.
//
// Normal noise because it is the hardest case: with the spikes of the noise model
// (tests/noise_model.hpp) the same critical values are exceeded less often at every n and level
// (see compare_methods.cpp). Two numbers a size rather than a table of critical values, because
// Holm's procedure asks for levels that no table lists.
//
//   calibrate_yuen [replications] > src/yuen_calibration.inc       (default 4,000,000: some
//   minutes)

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include "batchscope/stats/rng.hpp"
#include "student.hpp"
#include "yuen.hpp"

namespace batchscope::stats {
namespace {

constexpr uint64_t kSeed = 20240607;
constexpr std::size_t kFirstSize = 5;
constexpr std::size_t kLastSize = 40;
// Two-sided levels that the fit weighs equally: a single comparison down to Holm's first step in a
// family of 50.
constexpr std::array<double, 4> kLevels = {0.1, 0.05, 0.01, 0.001};

using Criticals = std::array<double, kLevels.size()>;

Criticals simulate_criticals(std::size_t n, std::size_t replications) {
  Rng rng(mix_seed(kSeed, n));
  std::vector<double> sample(n);
  std::vector<double> statistics(replications);
  for (double& statistic : statistics) {
    for (double& value : sample) value = rng.normal();
    std::sort(sample.begin(), sample.end());
    const PlainYuen plain = plain_yuen(sample);
    statistic = std::abs(plain.trimmed_mean) / plain.se;
  }
  std::sort(statistics.begin(), statistics.end(), std::greater<>());
  Criticals criticals{};
  for (std::size_t i = 0; i < kLevels.size(); ++i) {
    criticals[i] =
        statistics[static_cast<std::size_t>(kLevels[i] * static_cast<double>(replications))];
  }
  return criticals;
}

struct Fit {
  double se_scale = 1.0;
  double df = 0.0;
  double loss = 0.0;  // sum of squared log errors of the critical values
};

// The best scale for given degrees of freedom has a closed form in logs: the mean of the log
// ratios.
Fit fit_scale(const Criticals& criticals, double df) {
  Criticals log_ratio{};
  double total = 0.0;
  for (std::size_t i = 0; i < kLevels.size(); ++i) {
    log_ratio[i] = std::log(criticals[i] / student_upper_quantile(kLevels[i] / 2.0, df));
    total += log_ratio[i];
  }
  const double centre = total / static_cast<double>(kLevels.size());
  Fit fit{std::exp(centre), df, 0.0};
  for (const double value : log_ratio) fit.loss += (value - centre) * (value - centre);
  return fit;
}

Fit fit_reference(const Criticals& criticals, double published_df) {
  double low = 0.5 * published_df;
  double high = 2.0 * published_df;
  for (int step = 0; step < 100; ++step) {
    const double a = low + (high - low) / 3.0;
    const double b = high - (high - low) / 3.0;
    if (fit_scale(criticals, a).loss < fit_scale(criticals, b).loss) {
      high = b;
    } else {
      low = a;
    }
  }
  return fit_scale(criticals, (low + high) / 2.0);
}

void print_row(std::size_t n, std::size_t replications) {
  const Criticals criticals = simulate_criticals(n, replications);
  const double published_df = plain_yuen(std::vector<double>(n, 0.0)).df;
  const Fit fit = fit_reference(criticals, published_df);
  std::printf("    {%.4f, %.3f},  // n = %zu, h - 1 = %.0f; achieved", fit.se_scale, fit.df, n,
              published_df);
  for (std::size_t i = 0; i < kLevels.size(); ++i) {
    std::printf(" %.5f", 2.0 * student_upper_tail(criticals[i] / fit.se_scale, fit.df));
  }
  std::printf("\n");
  std::fflush(stdout);
}

}  // namespace
}  // namespace batchscope::stats

int main(int argc, char** argv) {
  using namespace batchscope::stats;
  const std::size_t replications = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 4'000'000;
  std::printf(
      "// Written by tools/calibrate_yuen.cpp (seed %llu, %zu replications a size); do not edit.\n",
      static_cast<unsigned long long>(kSeed), replications);
  std::printf(
      "// Achieved: the fitted tail at the simulated critical values of 0.1, 0.05, 0.01, 0.001.\n");
  for (std::size_t n = kFirstSize; n <= kLastSize; ++n) print_row(n, replications);
  return 0;
}
