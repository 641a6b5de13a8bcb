#include "random_laws.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace batchscope::truth {
namespace {

constexpr std::array<int64_t, 10> kTableSizes = {1, 2, 3, 4, 5, 6, 7, 8, 12, 16};

double between(stats::Rng& rng, double low, double high) {
  return low + (high - low) * rng.uniform();
}

}  // namespace

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

std::string random_convex(stats::Rng& rng, int64_t largest) {
  const double a = 0.5 * std::exp(4 * rng.uniform());
  const double bend = 2 * rng.uniform() * 10 / static_cast<double>(largest);
  std::string table;
  for (const int64_t size : kTableSizes) {
    const auto x = static_cast<double>(size);
    table += fmt::format("{}{}={:.4f}ms", table.empty() ? "table:" : ",", size,
                         a + 10 * x + bend * x * x);
  }
  return table;
}

std::string random_kink(stats::Rng& rng, int64_t largest) {
  const double a = 0.5 * std::exp(4 * rng.uniform());
  const double at = 1 + (static_cast<double>(largest) - 1) * rng.uniform();
  const double steeper = 1 + rng.uniform();
  std::string table;
  for (const int64_t size : kTableSizes) {
    const auto x = static_cast<double>(size);
    const double time = a + 10 * std::min(x, at) + 10 * steeper * std::max(x - at, 0.0);
    table += fmt::format("{}{}={:.4f}ms", table.empty() ? "table:" : ",", size, time);
  }
  return table;
}

std::string random_fractional_waves(stats::Rng& rng, int64_t) {
  const double step = between(rng, 1.5, 4);
  return fmt::format("staircase:{:.3f}ms,{:.3f}ms,{:.3f}", 0.5 * std::exp(4 * rng.uniform()),
                     2 * step, step);
}

std::string random_cache_step(stats::Rng& rng, int64_t largest) {
  const double octaves = between(rng, 0.5, 3);
  const double an_octave = between(rng, std::log(1.05), std::log(1.3));
  const double size = std::exp(std::log(static_cast<double>(largest)) * rng.uniform());
  return fmt::format("affine:{:.3f}ms,10ms;cache={:.3f}:{:.4f}:{:.3f}",
                     0.5 * std::exp(3 * rng.uniform()), size, std::exp(octaves * an_octave),
                     octaves);
}

std::string random_flat(stats::Rng& rng, int64_t) {
  return fmt::format("affine:0ms,{:.4f}ms", 0.1 * std::exp(std::log(10.0) * rng.uniform()));
}

}  // namespace batchscope::truth
