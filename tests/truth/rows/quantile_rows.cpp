// Quantiles of iteration times that are printed as vouched for, where processes differ in spread.
#include <fmt/format.h>

#include <cmath>

#include "batchscope/findings/finding.hpp"
#include "experiment.hpp"
#include "row.hpp"

namespace batchscope::truth {
namespace {

constexpr double kProcessSd = 0.01, kVisitSd = 0.015, kIterationSd = 0.03;

double below_normal(double z) {
  return 0.5 * std::erfc(-z / std::sqrt(2.0));
}

// The probability that ln of a time is below `log_ratio` times the law's: iterations of a process
// are normal, their spread is lognormal over processes.
double share_below(double log_ratio, double uneven) {
  constexpr int kSteps = 400;
  constexpr double kFar = 6;
  double share = 0, weight = 0;
  for (int i = 0; i <= kSteps; ++i) {
    const double z = kFar * (2.0 * i / kSteps - 1);
    const double density = std::exp(-z * z / 2);
    const double own = kIterationSd * std::exp(uneven * z);
    const double sd = std::sqrt(kProcessSd * kProcessSd + kVisitSd * kVisitSd + own * own);
    share += density * below_normal(log_ratio / sd);
    weight += density;
  }
  return share / weight;
}

double true_quantile(double time_ms, double probability, double uneven) {
  double low = -3, high = 3;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (share_below(middle, uneven) < probability ? low : high) = middle;
  }
  return time_ms * std::exp(low);
}

using Quantile = std::optional<findings::Estimate> findings::Distribution::*;

findings::Distribution measured(double uneven, double visit_s, uint64_t seed) {
  Experiment made{{fmt::format("affine:2ms,2ms;process_sd={};visit_sd={};iteration_sd={};uneven={};"
                               "warmup=0",
                               kProcessSd, kVisitSd, kIterationSd, uneven)},
                  {4},
                  12,
                  seed};
  made.visit_s = visit_s;
  return analyse(made).groups.at(0).rows.at(0).distribution;
}

Row holds_the_truth(const std::string& what, Quantile quantile, double probability, double uneven,
                    double visit_s) {
  return {"Quantiles printed as reliable",
          fmt::format("{}, visits of {:g} s, spread of a process {}: contains the true value, or "
                      "is marked unreliable",
                      what, visit_s, uneven == 0 ? "alike" : "times exp(0.8 z)"),
          {0.93, std::nullopt},
          [=](uint64_t seed) {
            const auto reported = measured(uneven, visit_s, seed).*quantile;
            return !reported || reported->ci->contains(true_quantile(10, probability, uneven));
          }};
}

Row is_supported(const std::string& what, Quantile quantile, double visit_s, double at_least) {
  return {"Quantiles printed as reliable",
          fmt::format("{}, visits of {:g} s, spread alike: printed as reliable", what, visit_s),
          {at_least, std::nullopt},
          [=](uint64_t seed) { return (measured(0, visit_s, seed).*quantile).has_value(); }};
}

}  // namespace

std::vector<Row> quantile_rows() {
  using findings::Distribution;
  std::vector<Row> rows;
  for (const double uneven : {0.0, 0.8}) {
    for (const double visit_s : {0.6, 2.0}) {
      rows.push_back(holds_the_truth("p50", &Distribution::p50_ms, 0.5, uneven, visit_s));
      rows.push_back(holds_the_truth("p90", &Distribution::p90_ms, 0.9, uneven, visit_s));
      rows.push_back(holds_the_truth("p95", &Distribution::p95_ms, 0.95, uneven, visit_s));
      rows.push_back(holds_the_truth("p99", &Distribution::p99_ms, 0.99, uneven, visit_s));
    }
  }
  rows.push_back(is_supported("p95", &Distribution::p95_ms, 0.6, 0.8));
  rows.push_back(is_supported("p99", &Distribution::p99_ms, 2, 0.5));
  // Rates near their goal take all experiments of a test, and these many iterations.
  for (Row& row : rows) row.tested = row.what.starts_with("p95, visits of 0.6 s");
  return rows;
}

}  // namespace batchscope::truth
