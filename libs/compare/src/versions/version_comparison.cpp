#include <algorithm>
#include <cmath>

#include "batchscope/compare/versions.hpp"
#include "gates/gate_words.hpp"
#include "version_words.hpp"

namespace batchscope::compare {
namespace {

using findings::Comparison;
using findings::Gate;
using findings::GateCheck;
using findings::GateName;
using findings::Outcome;
using findings::VersionComparison;
using findings::VersionRow;
using findings::VersionVerdict;

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

VersionRow named_row(const GateCheck& check, const VersionSides& sides) {
  const bool named = sides.old_runs > 0;
  VersionRow row;
  row.where = check.where;
  row.old_name = named ? sides.old_name : check.base;
  row.new_name = named ? sides.new_name : check.other;
  if (check.config) row.config = *check.config;
  row.message = check.message;
  row.detectable = check.detectable;
  return row;
}

void fill_times(const Comparison& comparison, VersionRow& row) {
  row.old_ms = comparison.base_ms;
  row.new_ms = comparison.other_ms;
  row.ratio = comparison.ratio;
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

VersionRow row_of(const GateCheck& check, const findings::Summary& summary, double margin,
                  const VersionSides& sides) {
  const Comparison* const comparison =
      check.comparison ? &summary.comparisons[*check.comparison] : nullptr;
  VersionRow row = named_row(check, sides);
  row.verdict = verdict_of(check, comparison, margin);
  row.n = check.n;
  if (comparison != nullptr) fill_times(*comparison, row);
  row.bounds = bounds_of(check, row.verdict);
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
  return made;
}

}  // namespace batchscope::compare
