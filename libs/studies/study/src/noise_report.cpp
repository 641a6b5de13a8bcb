#include "batchscope/study/noise_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace batchscope::study {
namespace {

// Around the scale, in powers of two.
constexpr int kBelow = 3, kAbove = 3;

NoiseRow row_of(int64_t samples, std::string words, double step_ms, double scale) {
  const auto batch = static_cast<double>(samples);
  return {
      samples, std::move(words), step_ms, steps_factor(scale, batch), samples_factor(scale, batch),
      0};
}

std::string way(const schema::RunConfig& config) {
  if (config.accumulation == 1) return fmt::format("{}", config.shape.batch_size);
  return fmt::format("{} x {}", config.shape.batch_size, config.accumulation);
}

}  // namespace

bool is_known(const MeasuredNoise& noise) {
  return noise.scale.low.has_value() && noise.scale.samples > 0 &&
         std::isfinite(noise.scale.samples);
}

std::vector<NoiseRow> noise_rows(const MeasuredNoise& noise,
                                 const std::vector<findings::ConfigRow>& timed) {
  std::vector<NoiseRow> rows;
  if (!is_known(noise)) return rows;
  const double scale = noise.scale.samples;
  for (const findings::ConfigRow& row : timed) {
    rows.push_back(
        row_of(schema::effective_batch(row.config), way(row.config), row.time_ms.value, scale));
  }
  const int middle = static_cast<int>(std::lround(std::log2(std::max(scale, 1.0))));
  for (int power = middle - kBelow; timed.empty() && power <= middle + kAbove; ++power) {
    if (power < 0 || power > 40) continue;
    const int64_t samples = int64_t{1} << power;
    rows.push_back(row_of(samples, std::to_string(samples), 0, scale));
  }
  double fastest = 0;
  for (const NoiseRow& row : rows) {
    const double time = row.steps * row.step_ms;
    if (fastest == 0 || time < fastest) fastest = time;
  }
  for (NoiseRow& row : rows) {
    if (fastest > 0) row.time = row.steps * row.step_ms / fastest;
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const NoiseRow& a, const NoiseRow& b) { return a.samples < b.samples; });
  return rows;
}

}  // namespace batchscope::study
