#include "verification.hpp"

#include <fmt/format.h>

#include <cmath>

#include "batchscope/analyze/fresh_gain.hpp"
#include "batchscope/base/counted.hpp"
#include "batchscope/findings/wording.hpp"
#include "batchscope/stats/descriptive.hpp"
#include "batchscope/tables/distribution.hpp"
#include "batchscope/tables/estimates.hpp"
#include "batchscope/tables/paired_visits.hpp"
#include "batchscope/timing/evidence.hpp"
#include "bounds.hpp"
#include "recommendation_words.hpp"

namespace batchscope::analyze {
namespace {

using findings::in_interval;
using findings::milliseconds;
using findings::percent;
using tables::exp_estimate;
using tables::kNsPerMs;
using tables::pair_visits;
using tables::PairedVisits;
using tables::RunView;
using tables::scaled;
using tables::visits_of;

double log_size(const schema::RunConfig& config) {
  return std::log(static_cast<double>(schema::samples_at_once(config)));
}

std::string more_or_less(const findings::Estimate& gain) {
  return fmt::format("{} {} throughput than", percent(std::abs(gain.value)),
                     gain.value >= 0 ? "more" : "less");
}

std::string withdrawn_words(const findings::Recommendation& pick,
                            const findings::Estimate& chosen) {
  const std::string base = baseline_words(pick);
  return fmt::format(
      "Use no other batch size: batch {} was the best ({} {}), but in {} separate "
      "visits it had {} {}{}. Keep {} until you have measured more.",
      pick.config.shape.batch_size, more_or_less(chosen), base, pick.fresh_visits,
      more_or_less(*pick.gain), base, in_interval(pick.gain->ci), base);
}

std::string over_budget_words(const findings::Recommendation& pick, double fresh,
                              std::size_t visits, double budget) {
  return fmt::format(
      "The recommendation is withdrawn: batch {} was within the budget of {} ({}), but in {} a "
      "batch took {}. Use a smaller batch, or measure more.",
      pick.config.shape.batch_size, milliseconds(budget), milliseconds(pick.latency_ms),
      base::counted(visits, "separate visit"), milliseconds(fresh));
}

std::string warming_words(const std::string& whose) {
  return fmt::format(
      " {} may still include warm-up and neither verify nor refute it: measure longer visits "
      "(--min-visit-time).",
      whose);
}

constexpr const char* kItsVisits = "Its separate visits";

// Those whose warm-up leaves nothing to hold against each other; `visits` are the pick's.
std::string whose_warm_up(const findings::Recommendation& pick, const timing::WarmVisits& visits,
                          const RunView& view) {
  if (timing::are_warming(visits)) return kItsVisits;
  const bool only_base = timing::are_warming(visits_of(view, *pick.baseline, timing::Use::fresh));
  if (only_base) return "The separate visits of " + baseline_words(pick);
  return kItsVisits + (" or those of " + baseline_words(pick));  // cut alike
}

// Returns what there is to say where they may not tell.
std::string verify_gain(findings::Recommendation& pick, const timing::WarmVisits& visits,
                        const RunView& view, const Options& options) {
  const PairedVisits pairs =
      pair_visits(view, *pick.baseline, pick.config, timing::Use::fresh, timing::mean_ns);
  if (pairs.warming) return warming_words(whose_warm_up(pick, visits, view));
  if (pairs.contrasts.size() < timing::kPairsToProve) return "";
  // ln of the ratio of throughputs: samples a second.
  std::vector<double> logs = pairs.contrasts;
  for (double& value : logs) value += log_size(pick.config) - log_size(*pick.baseline);
  const findings::Estimate chosen = *pick.gain;
  pick.fresh_visits = static_cast<int>(logs.size());
  const FreshGain fresh = fresh_gain(logs, pairs.unseen, options.level);
  pick.gain = fresh.student;
  pick.gain_level = options.level;
  pick.verified = fresh.surest() > 0;
  // What shows no gain that matters is withdrawn here, since an analysis has nothing to put in its
  // place; `tune`, whose fresh visits hold the default too, chooses that instead (default_stays.cpp
  // there), and withdraws what the default or the runner-up beats.
  const bool useless = fresh.largest() < options.practical;
  const bool less = pick.gain->ci->high < chosen.value;
  pick.withdrawn = useless || (!pick.verified && less);
  pick.verified &= !pick.withdrawn;
  if (pick.withdrawn) pick.message = withdrawn_words(pick, chosen);
  return "";
}

// What fresh visits say of the gain of a pick that stays.
std::string gain_words(const findings::Recommendation& pick, double chosen) {
  const bool less = pick.gain->ci && pick.gain->ci->high < chosen;
  const std::string seen =
      fmt::format("{} {}{}{}", more_or_less(*pick.gain), baseline_words(pick),
                  in_interval(pick.gain->ci), less ? ", less than expected" : "");
  if (pick.verified)
    return fmt::format(" Verified in {}: {}.", base::counted(pick.fresh_visits, "separate visit"),
                       seen);
  return fmt::format(
      " In {} it had {}: neither confirmed nor refuted, so not verified. Measure more.",
      base::counted(pick.fresh_visits, "separate visit"), seen);
}

std::string unsupported_words(const Bounds& bounds, std::size_t visits) {
  return fmt::format(" {} hold too few iterations for the {}: not verified. Measure more.",
                     base::counted(visits, "separate visit"), to_string(bounds.latency_of));
}

// Returns what there is to say of a pick that stays.
std::string verify_latency(findings::Recommendation& pick, const Bounds& bounds,
                           const findings::Estimate& fresh, std::size_t visits, bool gain_counts) {
  const double budget = *bounds.latency_ms;
  // They are of the gain, where that is what they show.
  if (!gain_counts) pick.fresh_visits = static_cast<int>(visits);
  pick.withdrawn = fresh.value > budget;
  const double latest = fresh.ci ? fresh.ci->high : fresh.value;
  pick.verified = latest <= budget && (pick.verified || !gain_counts);
  if (pick.withdrawn) pick.message = over_budget_words(pick, fresh.value, visits, budget);
  if (pick.withdrawn) return "";
  const std::string seen =
      fmt::format(" In {} a batch took {}{} (up to {}), ", base::counted(visits, "separate visit"),
                  statistic_words(bounds), milliseconds(fresh.value), milliseconds(latest));
  if (latest <= budget) return seen + "within the budget.";
  return seen +
         "which may be above the budget: not verified. Measure more, or use a smaller batch.";
}

}  // namespace

std::string verify(findings::Recommendation& pick, bool baseline_fits, const RunView& view,
                   const Options& options) {
  if (!pick.feasible) return "";
  // What the bounds rule out is no alternative, however fast it is.
  const bool gain_counts = pick.baseline && pick.gain && baseline_fits;
  const double chosen = pick.gain ? pick.gain->value : 0;
  const timing::WarmVisits visits = visits_of(view, pick.config, timing::Use::fresh);
  std::string words = gain_counts ? verify_gain(pick, visits, view, options) : "";
  if (pick.withdrawn) return "";
  if (gain_counts && pick.fresh_visits > 0) words = gain_words(pick, chosen);
  const Bounds bounds = bounds_of(view, options);
  if (!bounds.latency_ms) return words;
  if (timing::are_warming(visits)) {
    pick.verified = false;
    return words.empty() ? warming_words(kItsVisits) : words;
  }
  if (visits.visits.size() < timing::kPairsToProve) return words;
  tables::ConfigData separate;
  separate.visits = visits.visits;
  const auto fresh = tables::latency_of(separate, bounds.latency_of, options.level, options.method);
  pick.verified &= fresh.has_value();
  if (!fresh) return words + unsupported_words(bounds, visits.visits.size());
  return words + verify_latency(pick, bounds, *fresh, visits.visits.size(), gain_counts);
}

}  // namespace batchscope::analyze
