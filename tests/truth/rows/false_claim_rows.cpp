#include <fmt/format.h>

#include "claim_rows.hpp"
#include "experiment.hpp"

namespace batchscope::truth {
namespace {

const std::vector<int64_t> kEight = {1, 2, 3, 4, 6, 8, 12, 16};
const std::vector<int64_t> kPowers = {1, 2, 4, 8, 16, 32, 64, 128};
const std::vector<int64_t> kSix = {1, 2, 3, 4, 6, 8};
const std::vector<int64_t> kFour = {1, 2, 4, 8};

// Processes run in one of two ways, 16 % apart.
std::string two_ways(double share) {
  return fmt::format(";process_sd=0.003;visit_sd=0.004;iteration_sd=0.002;spike={}:1.16", share);
}

// Iterations that last beyond and below what counts as long, so that sizes warm up differently.
std::string slow_to_warm_up(stats::Rng& rng, int64_t) {
  return fmt::format("affine:20ms,60ms;warmup={:.2f}", 0.1 + 0.6 * rng.uniform());
}

const char* const kClaims = "Runs without an anomaly: anything called proven";
const char* const kDepartures = "Runs without an anomaly: a size called slow";

Row claim(const std::string& what, const Law& law, std::vector<int64_t> sizes,
          const std::string& noise, int blocks = 12) {
  return any_claim(kClaims, {what, law, std::move(sizes), noise, blocks});
}

Row departure(const std::string& what, const Law& law, std::vector<int64_t> sizes) {
  return any_departure(kDepartures, {what, law, std::move(sizes), kUsualNoise});
}

}  // namespace

std::vector<Row> false_claim_rows() {
  const std::string loud = ";process_sd=0.02;visit_sd=0.05;spike=0.02:1.3";
  return {claim("a + b x, 8 sizes to 16", random_affine, kEight, kUsualNoise),
          claim("a + b x, 8 sizes to 128", random_affine, kPowers, kUsualNoise),
          claim("roofline, 8 sizes to 16", random_roofline, kEight, kUsualNoise),
          claim("roofline, 8 sizes to 128", random_roofline, kPowers, kUsualNoise),
          claim("staircase, 8 sizes to 16", random_staircase, kEight, kUsualNoise),
          claim("staircase, 8 sizes to 128", random_staircase, kPowers, kUsualNoise),
          claim("a + b x, 8 sizes, bursts and drift", random_affine, kEight, kRoughNoise),
          claim("roofline, 8 sizes, bursts and drift", random_roofline, kEight, kRoughNoise),
          claim("a + b x, 8 sizes, visit noise 5 %, process 2 %", random_affine, kEight, loud),
          claim("a + b x, 8 sizes, a busy machine", random_affine, kEight, kBusyNoise),
          claim("roofline, 8 sizes, a busy machine", random_roofline, kEight, kBusyNoise),
          claim("a + b x, 8 sizes, 6 blocks", random_affine, kEight, kUsualNoise, 6),
          claim("a + b x, {1, 2, 3, 4, 6, 8}", random_affine, kSix, kUsualNoise),
          claim("roofline, {1, 2, 3, 4, 6, 8}", random_roofline, kSix, kUsualNoise),
          claim("a + b x, {1, 2, 4, 8}", random_affine, kFour, kUsualNoise),
          claim("roofline, {1, 2, 4, 8}", random_roofline, kFour, kUsualNoise),
          claim("staircase, {1, 2, 4, 8}", random_staircase, kFour, kUsualNoise),
          claim("a + b x, {1, 2, 4, 8}, a warm-up of 10 to 70 % that halves with each iteration",
                slow_to_warm_up, kFour, kUsualNoise),
          claim("a + b x, 8 sizes, 20 % of processes 16 % slower", random_affine, kEight,
                two_ways(0.2)),
          claim("a + b x, 8 sizes, 30 % of processes 16 % slower", random_affine, kEight,
                two_ways(0.3)),
          claim("a + b x, 8 sizes, 40 % of processes 16 % slower", random_affine, kEight,
                two_ways(0.4)),
          claim("a + b x, 8 sizes, half of the processes 16 % slower", random_affine, kEight,
                two_ways(0.5)),
          claim("a + b x, 8 sizes, 60 % of processes 16 % slower", random_affine, kEight,
                two_ways(0.6)),
          claim("a + b x, {1, 2, 4, 8}, 40 % of processes 16 % slower", random_affine, kFour,
                two_ways(0.4)),
          departure("a convex curve, 8 sizes to 16", random_convex, kEight),
          departure("a convex curve, {1, 2, 3, 4, 6, 8}", random_convex, kSix),
          departure("a kink, 8 sizes to 16", random_kink, kEight),
          departure("a kink, {1, 2, 3, 4, 6, 8}", random_kink, kSix)};
}

}  // namespace batchscope::truth
