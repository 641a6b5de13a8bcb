#include <fmt/format.h>

#include <cmath>

#include "batchscope/stats/rng.hpp"
#include "experiment.hpp"
#include "row.hpp"

namespace batchscope::truth {
namespace {

const std::vector<int64_t> kEight = {1, 2, 3, 4, 6, 8, 12, 16};
const std::vector<int64_t> kPowers = {1, 2, 4, 8, 16, 32, 64, 128};
const std::vector<int64_t> kSix = {1, 2, 3, 4, 6, 8};
const std::vector<int64_t> kFour = {1, 2, 4, 8};

using Law = std::function<std::string(stats::Rng&, int64_t largest)>;

// Coefficients over a wide range, ms. A roof whose bends fall anywhere among the sizes.
std::string random_affine(stats::Rng& rng, int64_t) {
  return fmt::format("affine:{:.3f}ms,2ms", 0.5 * std::exp(4 * rng.uniform()));
}

std::string random_roofline(stats::Rng& rng, int64_t largest) {
  const double top = static_cast<double>(largest);
  const double a = 0.5 * std::exp(3 * rng.uniform());
  const double launch = a + 2 * top * 0.5 * rng.uniform();
  const double bend = 1 + (1.2 * top - 1) * rng.uniform();
  return fmt::format("roofline:{:.4f}ms,{:.4f}ms,2ms,{:.4f}ms", launch, a, (a + 2 * bend) / bend);
}

std::string random_staircase(stats::Rng& rng, int64_t largest) {
  const auto step = 2 + static_cast<int>(rng.below(static_cast<uint64_t>(largest) - 2));
  return fmt::format("staircase:{:.3f}ms,{:.3f}ms,{}", 0.5 * std::exp(4 * rng.uniform()),
                     2.0 * step, step);
}

// Iterations that last beyond and below what counts as long, so that sizes warm up differently.
std::string slow_to_warm_up(stats::Rng& rng, int64_t) {
  return fmt::format("affine:20ms,60ms;warmup={:.2f}", 0.1 + 0.6 * rng.uniform());
}

Row any_claim(const std::string& what, const Law& law, std::vector<int64_t> sizes,
              const std::string& noise, int blocks = 12) {
  return {"Runs without an anomaly: anything called proven",
          what,
          {std::nullopt, 0.05},
          [=](uint64_t seed) {
            stats::Rng rng(stats::mix_seed(seed, 1));
            const std::string model = law(rng, sizes.back()) + noise;
            for (const auto& finding : analyse({{model}, sizes, blocks, seed}).findings) {
              if (finding.status == schema::Status::proven) return true;
            }
            return false;
          }};
}

}  // namespace

std::vector<Row> false_claim_rows() {
  const std::string loud = ";process_sd=0.02;visit_sd=0.05;spike=0.02:1.3";
  return {
      any_claim("a + b x, 8 sizes to 16", random_affine, kEight, kUsualNoise),
      any_claim("a + b x, 8 sizes to 128", random_affine, kPowers, kUsualNoise),
      any_claim("roofline, 8 sizes to 16", random_roofline, kEight, kUsualNoise),
      any_claim("roofline, 8 sizes to 128", random_roofline, kPowers, kUsualNoise),
      any_claim("staircase, 8 sizes to 16", random_staircase, kEight, kUsualNoise),
      any_claim("staircase, 8 sizes to 128", random_staircase, kPowers, kUsualNoise),
      any_claim("a + b x, 8 sizes, bursts and drift", random_affine, kEight, kRoughNoise),
      any_claim("roofline, 8 sizes, bursts and drift", random_roofline, kEight, kRoughNoise),
      any_claim("a + b x, 8 sizes, visit noise 5 %, process 2 %", random_affine, kEight, loud),
      any_claim("a + b x, 8 sizes, a busy machine", random_affine, kEight, kBusyNoise),
      any_claim("roofline, 8 sizes, a busy machine", random_roofline, kEight, kBusyNoise),
      any_claim("a + b x, 8 sizes, 6 blocks", random_affine, kEight, kUsualNoise, 6),
      any_claim("a + b x, {1, 2, 3, 4, 6, 8}", random_affine, kSix, kUsualNoise),
      any_claim("roofline, {1, 2, 3, 4, 6, 8}", random_roofline, kSix, kUsualNoise),
      any_claim("a + b x, {1, 2, 4, 8}", random_affine, kFour, kUsualNoise),
      any_claim("roofline, {1, 2, 4, 8}", random_roofline, kFour, kUsualNoise),
      any_claim("staircase, {1, 2, 4, 8}", random_staircase, kFour, kUsualNoise),
      any_claim("a + b x, {1, 2, 4, 8}, a warm-up of 10 to 70 % that halves with each iteration",
                slow_to_warm_up, kFour, kUsualNoise)};
}

}  // namespace batchscope::truth
