// Runs whose law is none of those that are fitted, without an odd size; and an odd size beside
// another one.
#include <fmt/format.h>

#include <algorithm>

#include "claim_rows.hpp"
#include "experiment.hpp"

namespace batchscope::truth {
namespace {

const std::vector<int64_t> kEight = {1, 2, 3, 4, 6, 8, 12, 16};
const std::vector<int64_t> kPowers = {1, 2, 4, 8, 16, 32, 64, 128};
const std::vector<int64_t> kSix = {1, 2, 3, 4, 6, 8};

const char* const kClaims = "Laws that are not fitted: anything called proven";
const char* const kDepartures = "Laws that are not fitted: a size called slow";

// One size, anywhere inside.
Row warm_up(const std::string& what, const std::string& option, int blocks) {
  const Law law = [=](stats::Rng& rng, int64_t largest) {
    const int64_t place = kEight[1 + rng.below(kEight.size() - 2)];
    return random_affine(rng, largest) + fmt::format(";{}={}:10:1.3", option, place);
  };
  return any_claim(
      "Warm-up of one size: anything called proven",
      {fmt::format("warm-up of one size: a + b x, 8 sizes to 16, {} blocks, {}", blocks, what), law,
       kEight, kStillNoise, blocks, 0.25});
}

Row slow_iterations() {
  return any_claim(
      "Slow iterations: anything called proven",
      {"slow iterations: a + b x, 8 sizes to 16, each seventh three times as long", random_affine,
       kEight, std::string(kStillNoise) + ";slow_iteration=7:3", 12, 0.25});
}

bool is_found_at(const findings::Summary& summary, int64_t place) {
  return std::any_of(
      summary.findings.begin(), summary.findings.end(), [place](const findings::Finding& finding) {
        const bool proven =
            finding.id == "scaling.departure" && finding.status == findings::Status::proven;
        if (!proven || finding.batch_sizes != std::vector{place}) return false;
        return std::any_of(finding.evidence.begin(), finding.evidence.end(),
                           [](const findings::Evidence& evidence) {
                             return evidence.metric == "excess_over_law" &&
                                    evidence.estimate.value > 0;
                           });
      });
}

Row beside_a_fast_end() {
  return {"One slow size beside another",
          "a fast end: 5 + 2 x ms, {1,2,3,4,6,8}, +10 % at 6 and -35 % at 1: proven at 6",
          {0.90, std::nullopt},
          [](uint64_t seed) {
            const std::string model =
                std::string("affine:5ms,2ms;anomaly=6:1.1;anomaly=1:0.65") + kUsualNoise;
            return is_found_at(analyse({{model}, kSix, 12, seed}), 6);
          }};
}

}  // namespace

std::vector<Row> odd_law_rows() {
  std::vector<Row> rows = {
      any_claim(kClaims, {"fractional waves: {1, 2, 3, 4, 6, 8}, steps of 1.5 to 4 samples",
                          random_fractional_waves, kSix, kStillNoise}),
      any_claim(kClaims, {"fractional waves: 8 sizes to 16, steps of 1.5 to 4 samples",
                          random_fractional_waves, kEight, kStillNoise}),
      any_departure(kDepartures, {"cache step: smooth, at most 30 % an octave, 8 sizes to 128",
                                  random_cache_step, kPowers, kStillNoise}),
      any_departure(kDepartures, {"cache step: smooth, at most 30 % an octave, 8 sizes to 16",
                                  random_cache_step, kEight, kStillNoise}),
      warm_up("10 iterations 30 % slower", "slow_start", 12),
      warm_up("30 % that die away over 10 iterations", "settles", 12),
      warm_up("30 % that die away over 10 iterations", "settles", 6),
      slow_iterations(),
      beside_a_fast_end()};
  for (Row& row : rows) row.tested = false;
  return rows;
}

}  // namespace batchscope::truth
