#include "verification.hpp"

#include <fmt/format.h>

#include <cmath>

#include "batchscope/stats/descriptive.hpp"
#include "bounds.hpp"
#include "estimates.hpp"
#include "paired_visits.hpp"
#include "recommendation_words.hpp"
#include "wording.hpp"

namespace batchscope::analyze {
namespace {

constexpr std::size_t kFewestPairs = 6;

double log_size(const schema::RunConfig& config) {
  return std::log(static_cast<double>(schema::samples_at_once(config)));
}

std::string more_or_less(const schema::Estimate& gain) {
  return fmt::format("{} {} throughput than", percent(std::abs(gain.value)),
                     gain.value >= 0 ? "more" : "less");
}

std::string withdrawn_words(const schema::Recommendation& pick, const schema::Estimate& chosen) {
  const std::string base = baseline_words(pick);
  return fmt::format(
      "No other batch size is recommended: batch {} looked best ({} {}), but in {} fresh "
      "visits it showed {} {}{}. Stay with {} until more is measured.",
      pick.config.shape.batch_size, more_or_less(chosen), base, pick.fresh_visits,
      more_or_less(*pick.gain), base, in_interval(pick.gain->ci), base);
}

// The time of the pick in its fresh visits, ms.
double fresh_ms(const schema::Recommendation& pick, const RunView& view) {
  constexpr double kNsPerMs = 1e6;
  std::vector<double> logs;
  for (const auto& [block, visit] : visits_of(*view.run, pick.config, schema::Purpose::verify)) {
    logs.push_back(log_median_ns(*visit));
  }
  return std::exp(stats::mean(logs)) / kNsPerMs;
}

std::string over_budget_words(const schema::Recommendation& pick, double fresh, double budget) {
  return fmt::format(
      "The recommendation is withdrawn: batch {} looked to be within the budget of {} ({}), but in "
      "{} fresh visits a batch took {}. Take a smaller batch, or measure more.",
      pick.config.shape.batch_size, milliseconds(budget), milliseconds(pick.latency_ms),
      pick.fresh_visits, milliseconds(fresh));
}

}  // namespace

void verify(schema::Recommendation& pick, const RunView& view, const Options& options) {
  if (!pick.baseline || !pick.gain) return;
  const PairedVisits pairs =
      pair_visits(*view.run, *pick.baseline, pick.config, schema::Purpose::verify);
  if (pairs.contrasts.size() < kFewestPairs) return;
  // ln of the ratio of throughputs: samples a second.
  std::vector<double> logs = pairs.contrasts;
  for (double& value : logs) value += log_size(pick.config) - log_size(*pick.baseline);
  const schema::Estimate chosen = *pick.gain;
  pick.fresh_visits = static_cast<int>(logs.size());
  pick.gain = less_one(exp_estimate(logs, options.level, options.method));
  // As the interval beside it says.
  pick.verified = pick.gain->ci && pick.gain->ci->low > 0;
  pick.withdrawn = !pick.verified;
  if (pick.withdrawn) pick.message = withdrawn_words(pick, chosen);
  const auto budget = bounds_of(view, options).latency_ms;
  const double fresh = fresh_ms(pick, view);
  if (pick.withdrawn || !budget || fresh <= *budget) return;
  pick.verified = false;
  pick.withdrawn = true;
  pick.message = over_budget_words(pick, fresh, *budget);
}

}  // namespace batchscope::analyze
