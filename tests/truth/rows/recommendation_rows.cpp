#include <algorithm>
#include <cmath>

#include "experiment.hpp"
#include "row.hpp"

namespace batchscope::truth {
namespace {

const std::vector<int64_t> kSizes = {1, 2, 4, 8, 16, 32};

double slower_than_16(double x) {
  return x < 32 ? 5 + 2 * x : 1.3 * (5 + 2 * x);
}
double nearly_flat(double x) {
  return 0.2 + 2 * x;
}

// True throughput of the pick over that of the best of all sizes.
double regret(const findings::Summary& summary, double (*law)(double)) {
  double best = 0;
  for (const int64_t size : kSizes) {
    const auto x = static_cast<double>(size);
    best = std::max(best, x / law(x));
  }
  const auto x = static_cast<double>(summary.recommendations.front().config.shape.batch_size);
  return x / law(x) / best;
}

Row good_pick(const std::string& what, const std::string& model, double (*law)(double)) {
  return {"Recommendation",
          what + ": throughput at least 98 % of the best of all sizes",
          {0.98, std::nullopt},
          [=](uint64_t seed) {
            return regret(analyse({{model + kUsualNoise}, kSizes, 12, seed}), law) >= 0.98;
          }};
}

Row best_is_kept() {
  return {"Recommendation",
          "the best of sizes that hardly differ is among the best sizes",
          {0.95, std::nullopt},
          [](uint64_t seed) {
            const auto summary =
                analyse({{std::string("affine:0.2ms,2ms") + kUsualNoise}, kSizes, 12, seed});
            const auto& best = summary.groups.front().best_sizes;
            return std::find(best.begin(), best.end(), 32) != best.end();
          }};
}

// A real dominance: 8 takes 20 % longer than 4 + 4.
Row split_found() {
  return {
      "Split dominance", "20 % over 4 + 4: proven at 8", {0.90, std::nullopt}, [](uint64_t seed) {
        const std::string model = "affine:1ms,2ms;anomaly=8:1.271";
        const auto summary = analyse({{model + kUsualNoise}, {1, 2, 4, 8}, 12, seed});
        return std::any_of(summary.findings.begin(), summary.findings.end(),
                           [](const findings::Finding& finding) {
                             return finding.id == "scaling.dominated" &&
                                    finding.status == findings::Status::proven &&
                                    finding.batch_sizes == std::vector<int64_t>{8};
                           });
      }};
}

}  // namespace

std::vector<Row> recommendation_rows() {
  return {good_pick("32 slower than the law", "affine:5ms,2ms;anomaly=32:1.3", slower_than_16),
          good_pick("sizes that hardly differ", "affine:0.2ms,2ms", nearly_flat), best_is_kept(),
          split_found()};
}

}  // namespace batchscope::truth
