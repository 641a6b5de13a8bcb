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

// No law of the search, and nothing odd: every size follows the same smooth curve.
std::string random_convex(stats::Rng& rng, int64_t largest) {
  const double a = 0.5 * std::exp(4 * rng.uniform());
  const double bend = 2 * rng.uniform() * 10 / static_cast<double>(largest);
  std::string table;
  for (const int64_t size : {1, 2, 3, 4, 6, 8, 12, 16}) {
    const auto x = static_cast<double>(size);
    table += fmt::format("{}{}={:.4f}ms", table.empty() ? "table:" : ",", size,
                         a + 10 * x + bend * x * x);
  }
  return table;
}

// Two straight pieces that meet anywhere among the sizes.
std::string random_kink(stats::Rng& rng, int64_t largest) {
  const double a = 0.5 * std::exp(4 * rng.uniform());
  const double at = 1 + (static_cast<double>(largest) - 1) * rng.uniform();
  const double steeper = 1 + rng.uniform();
  std::string table;
  for (const int64_t size : {1, 2, 3, 4, 6, 8, 12, 16}) {
    const auto x = static_cast<double>(size);
    const double time = a + 10 * std::min(x, at) + 10 * steeper * std::max(x - at, 0.0);
    table += fmt::format("{}{}={:.4f}ms", table.empty() ? "table:" : ",", size, time);
  }
  return table;
}

// Processes run in one of two ways, 16 % apart.
std::string two_ways(double share) {
  return fmt::format(";process_sd=0.003;visit_sd=0.004;iteration_sd=0.002;spike={}:1.16", share);
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

// Larger batches of such a curve may really be dominated: only departures are false.
Row any_departure(const std::string& what, const Law& law, std::vector<int64_t> sizes) {
  return {
      "Runs without an anomaly: a size called odd", what, {std::nullopt, 0.05}, [=](uint64_t seed) {
        stats::Rng rng(stats::mix_seed(seed, 1));
        const std::string model = law(rng, sizes.back()) + kUsualNoise;
        for (const auto& finding : analyse({{model}, sizes, 12, seed}).findings) {
          const bool odd = finding.id == "scaling.departure";
          if (odd && finding.status == schema::Status::proven) return true;
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
                slow_to_warm_up, kFour, kUsualNoise),
      any_claim("a + b x, 8 sizes, 20 % of processes 16 % slower", random_affine, kEight,
                two_ways(0.2)),
      any_claim("a + b x, 8 sizes, 30 % of processes 16 % slower", random_affine, kEight,
                two_ways(0.3)),
      any_claim("a + b x, 8 sizes, 40 % of processes 16 % slower", random_affine, kEight,
                two_ways(0.4)),
      any_claim("a + b x, 8 sizes, half of the processes 16 % slower", random_affine, kEight,
                two_ways(0.5)),
      any_claim("a + b x, 8 sizes, 60 % of processes 16 % slower", random_affine, kEight,
                two_ways(0.6)),
      any_claim("a + b x, {1, 2, 4, 8}, 40 % of processes 16 % slower", random_affine, kFour,
                two_ways(0.4)),
      any_departure("a convex curve, 8 sizes to 16", random_convex, kEight),
      any_departure("a convex curve, {1, 2, 3, 4, 6, 8}", random_convex, kSix),
      any_departure("a kink, 8 sizes to 16", random_kink, kEight),
      any_departure("a kink, {1, 2, 3, 4, 6, 8}", random_kink, kSix)};
}

}  // namespace batchscope::truth
