#include <fmt/format.h>

#include <algorithm>

#include "batchscope/base/counted.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/report/noise_scale.hpp"

namespace batchscope::report {
namespace {

using study::NoiseRow;

std::string scale_words(const study::MeasuredNoise& noise, double level) {
  const stats::NoiseScale& scale = noise.scale;
  const std::string sure = base::format_level(level);
  if (!scale.low) return "not determined by these steps: measure more steps, or larger batches";
  if (!scale.high) {
    return fmt::format(
        "at least {:.3g} samples ({} CI): the gradient is hardly larger than its noise. Measure "
        "more steps, or larger batches",
        *scale.low, sure);
  }
  // What moved while it was averaged has no interval that holds at any level.
  const std::string range = scale.drift ? "range" : sure + " CI";
  return fmt::format("{:.3g} samples ({} {:.3g} to {:.3g})", scale.samples, range, *scale.low,
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
      "To reach the same loss, batch B needs 1 + {0:.3g}/B times the fewest steps, and 1 + "
      "B/{0:.3g} times the fewest samples [McCandlish et al. 2018]. Well below {0:.3g}, a larger "
      "batch saves steps almost in proportion. Well above, it saves hardly any.\n",
      scale);
  const auto fastest =
      std::find_if(rows.begin(), rows.end(), [](const NoiseRow& row) { return row.time == 1; });
  if (fastest == rows.end()) return text;
  return text + fmt::format("The shortest training of the timed steps is with batch {}.\n",
                            fastest->words);
}

}  // namespace

std::string noise_text(const study::NoiseReport& reported) {
  const study::MeasuredNoise& noise = reported.noise;
  std::string text = fmt::format("{}\ngradient noise scale: {}\n", reported.what,
                                 scale_words(noise, reported.level));
  text += fmt::format("from {} of {} samples in batches of {}; loss {:.4g}, then {:.4g}\n",
                      base::counted(noise.scale.steps, "step"), noise.large, noise.small,
                      noise.first_loss, noise.last_loss);
  if (noise.scale.drift) {
    text += fmt::format(
        "The scale changed during the measurement: the later steps have {:.3g}x the scale of the "
        "earlier steps. The range covers both and has no confidence level. Measure fewer steps, or "
        "use a lower learning rate.\n",
        *noise.scale.drift);
  }
  if (!reported.rows.empty()) {
    text += "\n" + table(reported.rows) + "\n" + reading(reported.rows, noise.scale.samples);
  }
  text +=
      "The scale is valid for these weights. It grows during training, so measure again later.\n";
  if (reported.made_up) {
    text += "The samples were random, so this only demonstrates the method. Add --loader FOLDER.\n";
  }
  return text;
}

}  // namespace batchscope::report
