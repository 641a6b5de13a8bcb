#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "batchscope/base/counted.hpp"
#include "batchscope/timing/evidence.hpp"
#include "fresh_contrast.hpp"
#include "verdict.hpp"

namespace batchscope::tune {
namespace {

// What fresh visits say of a gain: it is there and matters, or it does not matter, or neither.
enum class Shown { better, too_small, open };

Shown shown(const findings::FreshContrast& contrast, double practical) {
  const double gain = contrast.gain.value;
  if (gain >= practical) return surest(contrast) > 0 ? Shown::better : Shown::open;
  const bool reported = contrast.gain.ci->low > 0 || contrast.gain.ci->high < practical;
  return reported || gain <= 0 ? Shown::too_small : Shown::open;
}

std::string settling_words(const std::optional<int>& visits) {
  if (!visits) {
    return " The scatter is too large for any practical number of visits. Use a quieter machine, "
           "or pin the cores.";
  }
  return fmt::format(
      " About {} of each setting would decide it: use --verify-blocks {}, a larger --budget and a "
      "new file. A quieter machine or pinned cores would need fewer.",
      base::counted(*visits, "separate visit"), *visits);
}

void keep_by_fresh_visits(const findings::FreshContrast& fresh, double practical, Tuned& tuned) {
  const Shown verdict = shown(fresh, practical);
  if (verdict == Shown::better) return;
  tuned.chosen = tuned.standard;
  tuned.verified = tuned.cut_short.empty() && largest(fresh) < practical;
  tuned.undecided = verdict == Shown::open;
  tuned.verdict = fmt::format("In {}, the best setting of the search had {}.",
                              base::counted(fresh.n, "separate visit"),
                              contrast_words(fresh, tuned.outcome, practical));
  if (!tuned.undecided) return;
  tuned.visits_needed = visits_to_settle(fresh, practical);
  tuned.verdict += settling_words(tuned.visits_needed);
}

// What the objective makes most of.
double worth(const PointEstimate& estimate, const Goal& goal) {
  return goal.objective == Objective::latency ? 1 / estimate.typical_s : estimate.rate;
}

void keep_by_estimates(double practical, Tuned& tuned) {
  const SearchOutcome& outcome = tuned.outcome;
  const PointEstimate* const usual = estimate_of(outcome, tuned.standard);
  if (usual == nullptr || !usual->feasible || !usual->left_out.empty()) return;
  const double best = worth(outcome.estimates.front(), outcome.goal);
  if (best < (1 + practical) * worth(*usual, outcome.goal)) tuned.chosen = tuned.standard;
}

}  // namespace

std::optional<int> visits_to_settle(const findings::FreshContrast& contrast, double practical) {
  const auto& interval = *contrast.gain.ci;
  const double half = (std::log1p(interval.high) - std::log1p(interval.low)) / 2;
  const double gain = std::log1p(std::max(contrast.gain.value, practical));
  return timing::blocks_that_would_tell(static_cast<std::size_t>(contrast.n), half, gain);
}

void hold_against_default(double practical, Tuned& tuned) {
  if (!tuned.outcome.feasible || tuned.standard == *tuned.outcome.pick) return;
  const auto fresh = std::find_if(tuned.contrasts.begin(), tuned.contrasts.end(),
                                  [](const auto& each) { return each.what == kTheDefault; });
  if (fresh == tuned.contrasts.end()) {
    keep_by_estimates(practical, tuned);
  } else {
    keep_by_fresh_visits(*fresh, practical, tuned);
  }
}

}  // namespace batchscope::tune
