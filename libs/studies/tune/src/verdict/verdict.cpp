#include "verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "batchscope/base/counted.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/stats/descriptive.hpp"
#include "batchscope/timing/contrasted.hpp"
#include "batchscope/timing/evidence.hpp"
#include "fresh_contrast.hpp"
#include "latency_evidence.hpp"
#include "search/observe.hpp"

namespace batchscope::tune {

std::optional<Observation> seen_of(const schema::RunFile& run, std::size_t point, const Goal& goal,
                                   const timing::Warmups& warmups) {
  std::vector<double> log_latencies;
  Observation seen;
  const schema::RunConfig& config = run.configs[point];
  for (const timing::Use use : {timing::Use::measured, timing::Use::fresh}) {
    const auto visits = timing::visits_of(run, config, use, warmups);
    for (const Observation& one : observe(visits, config, goal)) {
      seen.memory_bytes = std::max(seen.memory_bytes, one.memory_bytes);
      if (!one.still_warming) log_latencies.push_back(std::log(one.latency_s));
    }
  }
  if (log_latencies.empty()) return std::nullopt;
  seen.latency_s = std::exp(stats::mean(log_latencies));
  return seen;
}

namespace {

// Why the default cannot be used instead, however fast it is; empty: it can.
std::string against_default(const schema::RunFile& run, const Search& search, std::size_t usual,
                            const timing::Warmups& warmups) {
  const std::string why = search.left_out()[usual];
  if (!why.empty()) return fmt::format(" The default is excluded: {}.", why);
  const Goal& goal = search.goal();
  const auto seen = seen_of(run, usual, goal, warmups);
  if (!seen) return " The default has no measurement.";
  const bool late = goal.latency_budget_s && seen->latency_s > *goal.latency_budget_s;
  const bool large = goal.memory_limit_bytes && seen->memory_bytes > goal.memory_limit_bytes;
  return late || large ? " The default does not meet the bounds." : "";
}

bool beats_default(const Tuned& tuned, bool default_counts) {
  if (tuned.standard == *tuned.outcome.pick || !default_counts) return !tuned.contrasts.empty();
  return std::any_of(tuned.contrasts.begin(), tuned.contrasts.end(),
                     [](const auto& each) { return each.what == kTheDefault && surest(each) > 0; });
}

// The fresh visits that refute the pick; null: none do. A pick without a gain that matters is not
// withdrawn, as an analysis does (libs/judging/analyze/src/advice/verification.cpp): the default,
// which the same visits know, stays instead (default_stays.cpp). Another has to be better by more
// than a tie gives away for the pick to be wrong.
const findings::FreshContrast* refuted_by(const Tuned& tuned, bool default_counts) {
  const auto found =
      std::find_if(tuned.contrasts.begin(), tuned.contrasts.end(), [&](const auto& each) {
        const bool counts = each.what != kTheDefault || default_counts;
        return counts && largest(each) < -findings::kTieMargin;
      });
  return found == tuned.contrasts.end() ? nullptr : &*found;
}

// Whose fresh visits may still hold warm-up; empty: nobody's.
std::string warming_points(const schema::RunFile& run, const timing::Warmups& warmups,
                           const Tuned& tuned) {
  const SearchOutcome& outcome = tuned.outcome;
  const auto by_itself = [&](std::size_t point) {
    return timing::are_warming(
        timing::visits_of(run, run.configs[point], timing::Use::fresh, warmups));
  };
  if (by_itself(*outcome.pick)) return "the pick";
  std::vector<std::pair<std::size_t, std::string>> others = {{tuned.standard, kTheDefault}};
  if (outcome.runner_up) others.emplace_back(*outcome.runner_up, "the runner-up");
  for (const auto& [point, name] : others) {
    if (by_itself(point)) return name;
    if (are_warming(run, outcome, point, warmups)) return "the pick or " + name;  // cut alike
  }
  return "";
}

// Why what the pick was to be held against shows nothing; empty: it does.
std::string warming_words(const schema::RunFile& run, const timing::Warmups& warmups,
                          const Tuned& tuned) {
  const std::string whose = warming_points(run, warmups, tuned);
  if (whose.empty()) return "";
  return fmt::format(
      " The separate visits of {} may still include warm-up: use longer visits (--min-visit-time).",
      whose);
}

std::string verdict_of(const Tuned& tuned, const std::string& no_default,
                       const std::string& warming, double practical) {
  if (const auto* const by = refuted_by(tuned, no_default.empty())) {
    return fmt::format(
        "Recommendation withdrawn: in {} it had {}. Use the faster setting, or measure more.",
        base::counted(by->n, "separate visit"), contrast_words(*by, tuned.outcome, practical));
  }
  if (tuned.contrasts.empty() && !warming.empty()) return "Not verified." + warming;
  if (tuned.contrasts.empty()) {
    const bool is_default = tuned.standard == *tuned.outcome.pick;
    return fmt::format("Not verified (needs {}).{}",
                       base::counted(timing::kPairsToProve, "separate visit"),
                       is_default ? " The best setting found is the default." : "");
  }
  std::vector<std::string> parts;
  for (const findings::FreshContrast& each : tuned.contrasts) {
    parts.push_back(contrast_words(each, tuned.outcome, practical));
  }
  const std::string cut =
      tuned.cut_short.empty() ? "" : fmt::format(" {}.", base::capitalised(tuned.cut_short));
  // What they show of the gain holds, though the search was not over.
  const bool shows = !tuned.cut_short.empty() && surest(tuned.contrasts.front()) > 0;
  const char* const lead = tuned.verified ? "Verified in" : shows ? "In" : "Not verified in";
  return fmt::format("{} {} not used to choose it: {}.{}{}{}", lead,
                     base::counted(tuned.contrasts.front().n, "separate visit"),
                     fmt::join(parts, "; "), no_default, warming, cut);
}

void add_contrasts(const schema::RunFile& run, const timing::Warmups& warmups, Tuned& tuned) {
  const SearchOutcome& outcome = tuned.outcome;
  const auto add = [&](std::size_t other, const char* what) {
    if (other == *outcome.pick) return;
    const auto against = contrast(run, outcome, other, warmups, what);
    if (against) tuned.contrasts.push_back(*against);
  };
  add(tuned.standard, kTheDefault);
  if (outcome.runner_up && *outcome.runner_up != tuned.standard) {
    add(*outcome.runner_up, "the runner-up");
  }
}

// What the search took for a latency within the budget may turn out to be over it.
void withdraw_over_budget(Tuned& tuned, const Goal& goal) {
  const std::string over = exceeds_budget(*tuned.latency, goal);
  if (over.empty()) return;
  tuned.withdrawn = true;
  tuned.verified = false;
  tuned.verdict = fmt::format(
      "Recommendation withdrawn: over all its visits, {}. Use a smaller batch, or tune with a "
      "larger --budget.",
      over);
}

}  // namespace

void judge(const schema::RunFile& run, const Search& search, double practical,
           const timing::Warmups& warmups, Tuned& tuned) {
  add_contrasts(run, warmups, tuned);
  if (!tuned.outcome.feasible) return;
  const std::string no_default = against_default(run, search, tuned.standard, warmups);
  const bool refuted = refuted_by(tuned, no_default.empty()) != nullptr;
  const bool in_time = !tuned.latency || tuned.latency->kept;
  tuned.withdrawn = refuted;
  const bool over = tuned.cut_short.empty();
  tuned.verified = over && !refuted && in_time && beats_default(tuned, no_default.empty());
  tuned.verdict = verdict_of(tuned, no_default, warming_words(run, warmups, tuned), practical);
  if (tuned.latency) withdraw_over_budget(tuned, search.goal());
  if (!tuned.withdrawn && no_default.empty()) hold_against_default(practical, tuned);
}

}  // namespace batchscope::tune
