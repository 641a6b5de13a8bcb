#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "batchscope/base/counted.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/compare/versions.hpp"
#include "batchscope/findings/floors.hpp"
#include "batchscope/findings/wording.hpp"
#include "batchscope/timing/evidence.hpp"
#include "gates/gate_words.hpp"

namespace batchscope::compare {
namespace {

using findings::change_of_time;
using findings::Comparison;
using findings::Gate;
using findings::GateCheck;
using findings::GateName;
using findings::in_interval;
using findings::Outcome;
using findings::percent;
using findings::VersionComparison;
using findings::VersionRow;
using findings::VersionVerdict;

std::size_t count_of(const VersionComparison& comparison, VersionVerdict verdict) {
  return static_cast<std::size_t>(
      std::count_if(comparison.rows.begin(), comparison.rows.end(),
                    [&](const VersionRow& row) { return row.verdict == verdict; }));
}

// The row of this verdict whose times differ most; one without times where none has them.
const VersionRow& telling(const VersionComparison& comparison, VersionVerdict verdict) {
  const VersionRow* found = nullptr;
  const auto apart = [](const VersionRow& row) {
    return row.ratio ? std::abs(std::log(row.ratio->value)) : -1;
  };
  for (const VersionRow& row : comparison.rows) {
    if (row.verdict != verdict) continue;
    if (found == nullptr || apart(row) > apart(*found)) found = &row;
  }
  return *found;
}

// "4.2 % more time at batch 4", "80 % less time (5.0 times as fast) at batch 4"
std::string change_words(const VersionRow& row) {
  const double ratio = row.ratio->value;
  return (ratio < 1 ? change_of_time(ratio) : percent(ratio - 1) + " more time") + " at " +
         row.where;
}

// ", in the first 12 iterations of a process (0.5 s)"
std::string within_words(const std::optional<findings::Reach>& reach) {
  if (!reach) return "";
  const std::string iterations =
      reach->iterations == 1 ? "iteration" : base::counted(reach->iterations, "iteration");
  return fmt::format(", in the first {} of a process ({})", iterations,
                     base::format_seconds(reach->seconds));
}

// What a slow-down in young processes says nothing of.
std::string reach_words(const std::optional<findings::Reach>& reach) {
  if (!reach) return "";
  return fmt::format(" Each process ran {} ({}); longer runs were not measured.",
                     base::counted(reach->iterations, "iteration"),
                     base::format_seconds(reach->seconds));
}

std::optional<findings::Reach> shortest_reach(const VersionComparison& comparison) {
  std::optional<findings::Reach> shortest;
  for (const VersionRow& row : comparison.rows) {
    const bool shorter = row.reach && (!shortest || row.reach->iterations < shortest->iterations);
    if (shorter) shortest = row.reach;
  }
  return shortest;
}

std::string where_shown(const VersionComparison& comparison) {
  const std::size_t n = comparison.rows.size();
  return (n == 1 ? "at " + comparison.rows.front().where
                 : fmt::format("at all {} configurations", n)) +
         within_words(shortest_reach(comparison));
}

// "; the typical iteration takes 0.4 % less time"
std::string typical_words(const VersionRow& row) {
  if (!row.typical_ratio) return "";
  const double ratio = *row.typical_ratio;
  return fmt::format("; the typical iteration takes {}",
                     ratio < 1 ? change_of_time(ratio) : percent(ratio - 1) + " more time");
}

std::string slower_words(const VersionComparison& comparison) {
  const VersionRow& row = telling(comparison, VersionVerdict::slower);
  const std::size_t slower = count_of(comparison, VersionVerdict::slower);
  const std::string others = slower == 1 ? ""
                                         : fmt::format("; {} of {} configurations regress", slower,
                                                       comparison.rows.size());
  // It fails where the old one ran.
  if (!row.ratio || !row.bounds) return row.message;
  return fmt::format("{} is slower than {}{}: it takes {}, at least {}. The margin is {}{}{}.{}",
                     row.new_name, row.old_name, row.typical_ratio ? " on average" : "",
                     change_words(row), percent(row.bounds->low),
                     base::format_level(comparison.margin), typical_words(row), others,
                     reach_words(row.reach));
}

std::string faster_words(const VersionComparison& comparison) {
  const VersionRow& row = telling(comparison, VersionVerdict::faster);
  std::optional<stats::Interval> less;
  if (row.ratio->ci) less = stats::Interval{1 - row.ratio->ci->high, 1 - row.ratio->ci->low};
  const std::string elsewhere =
      comparison.rows.size() == 1
          ? ""
          : fmt::format(", and nowhere more than {} slower", base::format_level(comparison.margin));
  return fmt::format("{} is faster than {}: it takes {}{}{}{}.", row.new_name, row.old_name,
                     change_words(row), in_interval(less), within_words(row.reach), elsewhere);
}

// What stands in the way where there is a row that could be tested, or none.
std::string open_words(const VersionComparison& comparison) {
  const VersionRow& row = telling(comparison, VersionVerdict::cannot_tell);
  std::string text = fmt::format("Cannot tell whether {} is over {} slower than {}", row.new_name,
                                 base::format_level(comparison.margin), row.old_name);
  if (!row.bounds) return text + ": " + row.message;
  const std::size_t open = count_of(comparison, VersionVerdict::cannot_tell);
  const std::string which =
      open < 2 ? "" : fmt::format(" (one of {} undecided configurations)", open);
  const stats::Interval& bounds = *row.bounds;
  return fmt::format("{}: at {}{}, it takes between {} {} and {} {} time.", text, row.where, which,
                     percent(std::abs(bounds.low)), bounds.low < 0 ? "less" : "more",
                     percent(std::abs(bounds.high)), bounds.high < 0 ? "less" : "more");
}

std::string few_runs_words(const VersionComparison& comparison, const VersionSides& sides) {
  const VersionRow& row = telling(comparison, VersionVerdict::cannot_tell);
  const std::string seen =
      row.ratio
          ? fmt::format(" It takes {}, but this may be variation between runs.", change_words(row))
          : "";
  const std::string runs =
      sides.old_runs == 1 && sides.new_runs == 1
          ? "two single runs"
          : fmt::format("{} against {}", sides.old_runs, base::counted(sides.new_runs, "run"));
  return fmt::format("Cannot tell whether {0} is slower than {1}: {3} are not enough.{2}",
                     row.new_name, row.old_name, seen, runs);
}

bool is_on_one_side(const VersionRow& row) {
  return row.verdict == VersionVerdict::cannot_tell && !row.ratio;
}

std::size_t on_one_side(const VersionComparison& comparison) {
  return static_cast<std::size_t>(
      std::count_if(comparison.rows.begin(), comparison.rows.end(), is_on_one_side));
}

// What only some of the configurations lack; where all do, it is the answer.
std::vector<std::string> missing_words(const VersionComparison& comparison) {
  const std::size_t missing = on_one_side(comparison), n = comparison.rows.size();
  if (missing == 0 || missing == n) return {};
  const auto first = std::find_if(comparison.rows.begin(), comparison.rows.end(), is_on_one_side);
  return {fmt::format("{} of {} not compared: {}", missing, base::counted(n, "configuration"),
                      first->message)};
}

// The answer, a sentence. The rows and the verdict are there.
std::string answer_words(const VersionComparison& comparison, const VersionSides& sides) {
  const std::string margin = base::format_level(comparison.margin);
  switch (comparison.verdict) {
    case VersionVerdict::slower:
      return slower_words(comparison);
    case VersionVerdict::faster:
      return faster_words(comparison);
    case VersionVerdict::equal:
      return fmt::format("{} and {} are equal within {}, {}.", comparison.new_name,
                         comparison.old_name, margin, where_shown(comparison));
    case VersionVerdict::not_slower:
      return fmt::format("{} takes at most {} more time than {}, {}.", comparison.new_name, margin,
                         comparison.old_name, where_shown(comparison));
    case VersionVerdict::cannot_tell:
      break;
  }
  if (count_of(comparison, VersionVerdict::cannot_tell) == 0) return comparison.gate.message;
  if (on_one_side(comparison) == comparison.rows.size()) {
    return fmt::format("{} and {} have no configuration in common: {}", comparison.old_name,
                       comparison.new_name, comparison.rows.front().message);
  }
  return has_too_few_runs(sides) ? few_runs_words(comparison, sides) : open_words(comparison);
}

const Gate& regression_gate_of(const findings::Summary& summary) {
  return *std::find_if(summary.gates.begin(), summary.gates.end(),
                       [](const Gate& gate) { return gate.name == GateName::regression; });
}

// That the new one takes over the margin less time is excluded as well.
bool is_equal(const GateCheck& check, double margin) {
  return check.at_best && *check.at_best > 1 / (1 + margin) - 1;
}

VersionVerdict verdict_of(const GateCheck& check, const Comparison* comparison, double margin) {
  if (check.outcome == Outcome::failed) return VersionVerdict::slower;
  if (check.outcome == Outcome::inconclusive) return VersionVerdict::cannot_tell;
  if (is_equal(check, margin)) return VersionVerdict::equal;
  const bool faster =
      comparison != nullptr && comparison->significant && comparison->ratio.value < 1;
  return faster ? VersionVerdict::faster : VersionVerdict::not_slower;
}

// A gate begins with who it is of, whom it calls candidate and baseline.
std::string in_names(const GateCheck& check, const VersionRow& row) {
  for (const auto& [word, name] :
       {std::pair(check.other, row.new_name), std::pair(check.base, row.old_name)}) {
    if (check.message.starts_with(word + " ")) return name + check.message.substr(word.size());
  }
  return check.message;
}

VersionRow named_row(const GateCheck& check, const VersionSides& sides) {
  const bool named = sides.old_runs > 0;
  VersionRow row;
  row.where = check.where;
  row.old_name = named ? sides.old_name : check.base;
  row.new_name = named ? sides.new_name : check.other;
  if (check.config) row.config = *check.config;
  row.message = named ? in_names(check, row) : check.message;
  row.detectable = check.detectable;
  return row;
}

void fill_times(const Comparison& comparison, VersionRow& row) {
  row.old_ms = comparison.base_ms;
  row.new_ms = comparison.other_ms;
  row.ratio = comparison.ratio;
  row.reach = comparison.reach;
  row.n = comparison.n;
}

// A slow-down is shown by the iterations that it is of, and what is open is told as its row tells
// it; anything less by all that was tested.
std::optional<stats::Interval> bounds_of(const GateCheck& check, VersionVerdict verdict) {
  if (!check.slowdown || !check.slowdown->ci) return std::nullopt;
  const stats::Interval& of_iterations = *check.slowdown->ci;
  const bool open = verdict == VersionVerdict::cannot_tell;
  if (verdict == VersionVerdict::slower || open) return of_iterations;
  return stats::Interval{check.at_best.value_or(of_iterations.low), of_iterations.high};
}

// A slow-down that only mean iterations show: the row tells of these.
void tell_of_means(const GateCheck& check, const Comparison& comparison, VersionRow& row) {
  if (row.verdict != VersionVerdict::slower || !row.bounds) return;
  const double typical = comparison.ratio.value, shown = 1 + check.slowdown->value;
  const bool of_means =
      std::abs(shown - typical) > findings::kMeanWorthShowing / 2 || 1 + row.bounds->low > typical;
  if (!of_means) return;
  row.typical_ratio = typical;
  row.ratio = findings::Estimate{shown, std::nullopt};
  row.old_ms = row.new_ms = std::nullopt;
  if (!comparison.by_mean) return;
  row.ratio = comparison.by_mean->ratio;
  row.old_ms = comparison.by_mean->base_ms;
  row.new_ms = comparison.by_mean->other_ms;
}

VersionRow row_of(const GateCheck& check, const findings::Summary& summary, double margin,
                  const VersionSides& sides) {
  const Comparison* const comparison =
      check.comparison ? &summary.comparisons[*check.comparison] : nullptr;
  VersionRow row = named_row(check, sides);
  row.verdict = verdict_of(check, comparison, margin);
  row.n = check.n;
  if (comparison != nullptr) fill_times(*comparison, row);
  row.bounds = bounds_of(check, row.verdict);
  if (comparison != nullptr) tell_of_means(check, *comparison, row);
  return row;
}

VersionVerdict verdict_of(const std::vector<VersionRow>& rows, const Gate& gate) {
  const auto any = [&](VersionVerdict verdict) {
    return std::any_of(rows.begin(), rows.end(),
                       [&](const VersionRow& row) { return row.verdict == verdict; });
  };
  if (gate.outcome == Outcome::failed) return VersionVerdict::slower;
  if (gate.outcome == Outcome::inconclusive) return VersionVerdict::cannot_tell;
  if (any(VersionVerdict::faster)) return VersionVerdict::faster;
  return any(VersionVerdict::not_slower) ? VersionVerdict::not_slower : VersionVerdict::equal;
}

std::string unit_of(const findings::Summary& summary, const Gate& gate) {
  for (const GateCheck& check : gate.checks) {
    if (check.comparison) return words_of(compare::unit_of(summary.comparisons[*check.comparison]));
  }
  return "visits";
}

}  // namespace

bool has_too_few_runs(const VersionSides& sides) {
  return sides.old_runs > 0 && std::min(sides.old_runs, sides.new_runs) < timing::kRunsToProve;
}

VersionComparison version_comparison(const findings::Summary& summary, const VersionSides& sides) {
  VersionComparison made;
  made.gate = regression_gate_of(summary);
  made.margin = made.gate.margin.value_or(0);
  made.level = made.gate.level;
  made.advice = made.gate.advice;
  made.unit = unit_of(summary, made.gate);
  for (const GateCheck& check : made.gate.checks) {
    made.rows.push_back(row_of(check, summary, made.margin, sides));
    const auto& each = made.rows.back().detectable;
    if (each) made.detectable = std::max(made.detectable.value_or(0), *each);
  }
  made.old_name = made.rows.front().old_name;
  made.new_name = made.rows.front().new_name;
  made.verdict = verdict_of(made.rows, made.gate);
  made.message = answer_words(made, sides);
  made.warnings = missing_words(made);
  return made;
}

}  // namespace batchscope::compare
