#include "regression_gate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "batchscope/base/algorithms.hpp"
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
  const auto has_all = [](const LogRatio& ratio) {
    return ratio.plain && ratio.trimmed && ratio.but_accidents;
  };
  return open.may_prove && has_all(open.typical) && has_all(open.mean);
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

std::vector<Pending> pending_of(std::span<const PlannedPair> planned,
                                const std::vector<Open>& opens) {
  return base::mapped(planned, [&](const PlannedPair& pair) {
    const Open* const open = find_open(pair, opens);
    return Pending{&pair, open, outcome_of_records(pair, open)};
  });
}

std::vector<const Open*> tested(const std::vector<Pending>& pending) {
  std::vector<const Open*> opens;
  for (const Pending& each : pending) {
    if (each.is_tested()) opens.push_back(each.open);
  }
  return opens;
}

// What is known of it without a test.
GateCheck named_check(const PlannedPair& pair) {
  GateCheck check;
  check.name = fmt::format("{}: {} against {}", pair.where, pair.other_words, pair.base_words);
  check.config = pair.config;
  check.where = pair.where;
  check.base = pair.base_words;
  check.other = pair.other_words;
  return check;
}

// `test` is of this one, where it is tested.
GateCheck check_of(const Pending& pending, const SlowdownTest* test) {
  GateCheck check = named_check(*pending.pair);
  if (pending.decided) {
    check.outcome = *pending.decided;
    check.message = failure_words(*pending.pair, check.outcome);
  } else if (test != nullptr) {
    fill_test(pending, *test, check);
  } else {
    check.message = untested_words(*pending.pair, *pending.open);
  }
  return check;
}

std::vector<GateCheck> checks_of(const std::vector<Pending>& pending,
                                 const std::vector<Open>& opens,
                                 const std::vector<SlowdownTest>& tests) {
  std::vector<GateCheck> checks;
  auto next = tests.begin();
  for (const Pending& each : pending) {
    checks.push_back(check_of(each, each.is_tested() ? &*next++ : nullptr));
    if (each.open != nullptr) {
      checks.back().comparison = static_cast<std::size_t>(each.open - opens.data());
    }
  }
  return checks;
}

}  // namespace

findings::Gate regression_gate(std::span<const PlannedPair> planned, std::span<const Open> all,
                               double margin, const TestOptions& options) {
  const std::vector<Open> opens = base::mapped(all, with_ratio);
  const std::vector<Pending> pending = pending_of(planned, opens);
  findings::Gate gate;
  gate.name = findings::GateName::regression;
  gate.margin = margin;
  gate.level = options.level;
  gate.checks = checks_of(pending, opens, test_slowdowns(tested(pending), margin, options));
  gate.outcome = worst(gate.checks);
  gate.message = gate_words(gate);
  if (gate.outcome == Outcome::inconclusive) gate.advice = advice_words(gate, needed_unit(pending));
  return gate;
}

}  // namespace batchscope::compare
