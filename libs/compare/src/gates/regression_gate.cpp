#include "regression_gate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gate_words.hpp"

namespace batchscope::compare {
namespace {

using findings::GateCheck;
using findings::Outcome;
using tables::TestOptions;

// More than this many times as much is no advice.
constexpr double kMostGrowth = 20;

const Open* find_open(const PlannedPair& pair, std::span<const Open> all) {
  for (const Open& open : all) {
    const findings::Comparison& one = open.comparison;
    const bool same = one.axis == pair.axis && one.base == pair.base && one.other == pair.other;
    if (same && one.config == pair.config) return &open;
  }
  return nullptr;
}

// Set where failures decide, or there are no times: whatever the times of the others say.
std::optional<Outcome> outcome_of_records(const PlannedPair& pair, const Open* open) {
  const SideRecord& base = pair.of_base;
  const SideRecord& other = pair.of_other;
  if (base.given_up) return Outcome::passed;
  if (other.given_up) return base.failures == 0 ? Outcome::failed : Outcome::inconclusive;
  if (other.failures > 0 && base.failures == 0) return Outcome::inconclusive;
  if (open == nullptr) return Outcome::inconclusive;
  return std::nullopt;
}

bool is_testable(const Open& open) {
  return open.may_prove && open.typical.plain && open.typical.trimmed && open.mean.plain &&
         open.mean.trimmed;
}

struct Pending {
  const PlannedPair* pair;
  const Open* open;
  std::optional<Outcome> decided;

  bool is_tested() const { return !decided && is_testable(*open); }
};

void fill_test(const Pending& pending, const SlowdownTest& test, GateCheck& check) {
  const findings::Comparison& comparison = pending.open->comparison;
  check.outcome = test.is_over     ? Outcome::failed
                  : test.is_within ? Outcome::passed
                                   : Outcome::inconclusive;
  check.slowdown = findings::Estimate{
      std::expm1(test.value), stats::Interval{std::expm1(test.at_least), std::expm1(test.at_most)}};
  check.at_best = std::expm1(test.at_best);
  check.smallest_shown = std::expm1(test.smallest_shown);
  check.detectable = std::expm1(test.detectable);
  check.n = comparison.n;
  if (check.outcome == Outcome::inconclusive && test.growth && *test.growth <= kMostGrowth) {
    check.needed =
        std::max(comparison.n + 1, static_cast<int>(std::ceil(comparison.n * *test.growth)));
  }
  check.message = verdict_words(*pending.pair, *pending.open, test, check.outcome);
}

// Measured ratios of comparisons are set when they are judged, which may come later.
Open with_ratio(Open open) {
  if (open.typical.estimate) open.comparison.ratio.value = std::exp(open.typical.estimate->value);
  return open;
}

Outcome worst(const std::vector<GateCheck>& checks) {
  const auto any = [&](Outcome outcome) {
    return std::any_of(checks.begin(), checks.end(),
                       [&](const GateCheck& check) { return check.outcome == outcome; });
  };
  if (any(Outcome::failed)) return Outcome::failed;
  // A base that fails everywhere shows nothing of the other.
  const bool tested = std::any_of(checks.begin(), checks.end(), [](const GateCheck& check) {
    return check.slowdown.has_value();
  });
  return any(Outcome::inconclusive) || !tested ? Outcome::inconclusive : Outcome::passed;
}

Unit needed_unit(const std::vector<Pending>& pending) {
  for (const Pending& each : pending) {
    if (each.open != nullptr) return unit_of(each.open->comparison);
  }
  return Unit::pairs_of_visits;
}

}  // namespace

findings::Gate regression_gate(std::span<const PlannedPair> planned, std::span<const Open> all,
                               double margin, const TestOptions& options) {
  std::vector<Open> opens;
  for (const Open& open : all) opens.push_back(with_ratio(open));
  std::vector<Pending> pending;
  std::vector<const Open*> tested;
  for (const PlannedPair& pair : planned) {
    const Open* open = find_open(pair, opens);
    pending.push_back({&pair, open, outcome_of_records(pair, open)});
    if (pending.back().is_tested()) tested.push_back(open);
  }
  const std::vector<SlowdownTest> tests = test_slowdowns(tested, margin, options);

  findings::Gate gate;
  gate.name = findings::GateName::regression;
  gate.margin = margin;
  gate.level = options.level;
  std::size_t next = 0;
  for (const Pending& each : pending) {
    GateCheck check;
    check.name = fmt::format("{}: {} against {}", each.pair->where, each.pair->other_words,
                             each.pair->base_words);
    check.config = each.pair->config;
    check.where = each.pair->where;
    check.base = each.pair->base_words;
    check.other = each.pair->other_words;
    if (each.open != nullptr) {
      check.comparison = static_cast<std::size_t>(each.open - opens.data());
    }
    if (each.decided) {
      check.outcome = *each.decided;
      check.message = failure_words(*each.pair, check.outcome);
    } else if (each.is_tested()) {
      fill_test(each, tests[next++], check);
    } else {
      check.message = untested_words(*each.pair, *each.open);
    }
    gate.checks.push_back(std::move(check));
  }
  gate.outcome = worst(gate.checks);
  gate.message = gate_words(gate);
  if (gate.outcome == Outcome::inconclusive) gate.advice = advice_words(gate, needed_unit(pending));
  return gate;
}

}  // namespace batchscope::compare
