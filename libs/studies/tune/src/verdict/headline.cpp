#include "headline.hpp"

#include <fmt/format.h>

#include "batchscope/base/units.hpp"
#include "batchscope/findings/floors.hpp"

namespace batchscope::tune {
namespace {

// "batch 48, fp32, ...: 430 samples/s at 112 ms a batch".
std::string setting_and_figures(const schema::RunConfig& config, const Figures& figures,
                                const Goal& goal) {
  std::string words =
      fmt::format("{}: {:.4g} samples/s at {} per {}", setting_words(config), figures.rate,
                  base::format_seconds(figures.typical_s), iteration_words(config));
  if (findings::is_mean_worth_showing(figures.mean_s, figures.typical_s)) {
    words += fmt::format(" (mean {}: some iterations are much slower)",
                         base::format_seconds(figures.mean_s));
  }
  if (goal.price_per_hour) {
    words += fmt::format(", {:.3g} per million samples",
                         cost_of_a_million(*goal.price_per_hour, figures.rate));
  }
  return words + ".";
}

std::string whose(const Figures& figures) {
  return figures.fresh_visits > 0 ? ""
                                  : " The search estimated these figures; they are not verified.";
}

}  // namespace

std::string use_words(const schema::RunConfig& config, const Figures& figures, const Goal& goal) {
  return "Use " + setting_and_figures(config, figures, goal) + whose(figures);
}

std::string open_words(const schema::RunConfig& standard, const Figures& figures,
                       const Goal& goal) {
  return "No significant difference: no setting is provably better than the default, " +
         setting_and_figures(standard, figures, goal) + whose(figures);
}

std::string keep_words(const schema::RunConfig& config, const Figures& figures, const Goal& goal,
                       const schema::RunConfig& best, double practical) {
  return fmt::format(
      "Keep {} No setting is provably better by {} or more; the search ranked {} first.{}",
      setting_and_figures(config, figures, goal), base::format_level(practical),
      setting_words(best), whose(figures));
}

}  // namespace batchscope::tune
