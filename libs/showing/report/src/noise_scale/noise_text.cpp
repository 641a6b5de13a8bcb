#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "batchscope/base/counted.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/schema/json.hpp"
#include "batchscope/schema/run_file.hpp"
#include "noise_rows.hpp"

namespace batchscope::api {
namespace {

// Around the scale, in powers of two.
constexpr int kBelow = 3, kAbove = 3;

bool is_known(const study::MeasuredNoise& noise) {
  return noise.scale.low.has_value() && noise.scale.samples > 0 &&
         std::isfinite(noise.scale.samples);
}

NoiseRow row_of(int64_t samples, std::string words, double step_ms, double scale) {
  const auto batch = static_cast<double>(samples);
  return {samples,
          std::move(words),
          step_ms,
          study::steps_factor(scale, batch),
          study::samples_factor(scale, batch),
          0};
}

std::string way(const schema::RunConfig& config) {
  if (config.accumulation == 1) return fmt::format("{}", config.shape.batch_size);
  return fmt::format("{} x {}", config.shape.batch_size, config.accumulation);
}

std::string scale_words(const study::MeasuredNoise& noise, double level) {
  const stats::NoiseScale& scale = noise.scale;
  const std::string sure = base::format_level(level);
  if (!scale.low) return "these steps do not determine it: measure more steps, or larger batches";
  if (!scale.high) {
    return fmt::format(
        "at least {:.3g} samples ({}): the gradient barely stands out from its noise; more steps "
        "or larger batches would tell",
        *scale.low, sure);
  }
  // What moved while it was averaged has no interval that holds at any level.
  const std::string range = scale.drift ? "moving" : sure;
  return fmt::format("{:.3g} samples ({}: {:.3g} to {:.3g})", scale.samples, range, *scale.low,
                     *scale.high);
}

std::string table(const std::vector<NoiseRow>& rows) {
  const bool timed = rows.front().step_ms > 0;
  std::string text = fmt::format("  {:>10}  {:>8}  {:>8}{}\n", timed ? "batch" : "samples", "steps",
                                 "samples", timed ? "      step ms     time" : "");
  for (const NoiseRow& row : rows) {
    text += fmt::format("  {:>10}  {:>6.3g} x  {:>6.3g} x", row.words, row.steps, row.cost);
    if (timed) text += fmt::format("  {:>11.4g}  {:>5.3g} x", row.step_ms, row.time);
    text += "\n";
  }
  return text;
}

std::string reading(const std::vector<NoiseRow>& rows, double scale) {
  std::string text = fmt::format(
      "To the same loss, steps of B samples take 1 + {0:.3g}/B times the fewest steps and 1 + "
      "B/{0:.3g} times the fewest samples [McCandlish et al. 2018]: well below {0:.3g}, a larger "
      "batch pays off almost in full; well above, it hardly saves a step.\n",
      scale);
  const auto fastest =
      std::find_if(rows.begin(), rows.end(), [](const NoiseRow& row) { return row.time == 1; });
  if (fastest == rows.end()) return text;
  return text +
         fmt::format("Of the steps that were timed, the shortest training is with batch {}.\n",
                     fastest->words);
}

}  // namespace

std::vector<NoiseRow> noise_rows(const study::MeasuredNoise& noise,
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
    rows.push_back(row_of(samples, fmt::format("{}", samples), 0, scale));
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

std::string noise_text(const NoiseReport& told) {
  const study::MeasuredNoise& noise = told.noise;
  std::string text =
      fmt::format("{}\ngradient noise scale: {}\n", told.what, scale_words(noise, told.level));
  text += fmt::format("from {} of {} samples in batches of {}; loss {:.4g}, then {:.4g}\n",
                      base::counted(noise.scale.steps, "step"), noise.large, noise.small,
                      noise.first_loss, noise.last_loss);
  if (noise.scale.drift) {
    text += fmt::format(
        "The scale changed while it was averaged: over the later steps it is {:.3g} times that of "
        "the earlier ones. The range covers both and promises no confidence level; measure fewer "
        "steps, or use a lower learning rate.\n",
        *noise.scale.drift);
  }
  if (!told.rows.empty()) {
    text += "\n" + table(told.rows) + "\n" + reading(told.rows, noise.scale.samples);
  }
  text +=
      "The scale holds for these weights: it grows as training proceeds, so measure again later.\n";
  if (told.made_up) {
    text +=
        "The samples were made up, so this only demonstrates the method: add --loader FOLDER.\n";
  }
  return text;
}

std::string noise_json(const NoiseReport& told) {
  const study::MeasuredNoise& noise = told.noise;
  using nlohmann::ordered_json;
  const auto optional = [](const std::optional<double>& value) {
    return value ? ordered_json(*value) : ordered_json();
  };
  ordered_json json{{"schema_version", schema::kSchemaVersion},
                    {"subject", told.what},
                    {"made_up_samples", told.made_up},
                    {"noise_scale",
                     {{"samples", is_known(noise) ? ordered_json(noise.scale.samples) : nullptr},
                      {"ci_low", optional(noise.scale.low)},
                      {"ci_high", optional(noise.scale.high)},
                      {"level", told.level},
                      {"drift", optional(noise.scale.drift)},
                      {"squared_gradient", noise.scale.squared_gradient},
                      {"variance", noise.scale.variance}}},
                    {"steps", noise.scale.steps},
                    {"batch_size", noise.small},
                    {"effective_batch", noise.large},
                    {"first_loss", noise.first_loss},
                    {"last_loss", noise.last_loss},
                    {"batches", ordered_json::array()}};
  for (const NoiseRow& row : told.rows) {
    ordered_json item{{"effective_batch", row.samples},
                      {"steps_factor", row.steps},
                      {"samples_factor", row.cost}};
    if (row.step_ms > 0) {
      item["batch"] = row.words;
      item["step_ms"] = row.step_ms;
      item["time_factor"] = row.time;
    }
    json["batches"].push_back(std::move(item));
  }
  return schema::dump(json) + "\n";
}

}  // namespace batchscope::api
