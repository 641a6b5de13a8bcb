#include "gate_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "batchscope/base/counted.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/findings/wording.hpp"
#include "batchscope/timing/evidence.hpp"
#include "comparisons/slow_visits.hpp"

namespace batchscope::compare {
namespace {

using findings::GateCheck;
using findings::Outcome;
using findings::percent;

std::string change(double log_ratio) {
  const double more = std::expm1(log_ratio);
  return fmt::format("{} {} time", percent(std::abs(more)), more < 0 ? "less" : "more");
}

// "at most 2 % more", or "at least 4 % less": how an upper bound reads on either side of 0.
std::string bounded_above(double log_ratio) {
  return (log_ratio < 0 ? "at least " : "at most ") + change(log_ratio);
}

std::string measured(const Open& open, const SlowdownTest& test) {
  return fmt::format("measured {}, {} {}", change(test.value), open.comparison.n,
                     words_of(unit_of(open.comparison)));
}

// Which iterations the figures are of, where it matters.
std::string typical_words(const Open& open, const SlowdownTest& test) {
  if (!test.by_mean) return "";
  return fmt::format("; the typical iteration takes {}, so only some iterations slow down",
                     change(open.typical.plain->value));
}

std::vector<const GateCheck*> checks_with(const findings::Gate& gate, Outcome outcome) {
  std::vector<const GateCheck*> found;
  for (const GateCheck& check : gate.checks) {
    if (check.outcome == outcome) found.push_back(&check);
  }
  return found;
}

std::string failed_words(const findings::Gate& gate) {
  const auto failed = checks_with(gate, Outcome::failed);
  const auto lower = [](const GateCheck* a, const GateCheck* b) {
    const double of_a = a->slowdown && a->slowdown->ci ? a->slowdown->ci->low : INFINITY;
    const double of_b = b->slowdown && b->slowdown->ci ? b->slowdown->ci->low : INFINITY;
    return of_a < of_b;
  };
  std::string text = fmt::format("Regression beyond the margin of {}: {}", percent(*gate.margin),
                                 (*std::max_element(failed.begin(), failed.end(), lower))->message);
  if (failed.size() > 1) {
    text += fmt::format(" {} of {} configurations regress.", failed.size(), gate.checks.size());
  }
  return text;
}

std::string passed_words(const findings::Gate& gate) {
  double most = -INFINITY;
  int tested = 0;
  for (const GateCheck& check : gate.checks) {
    if (!check.slowdown || !check.slowdown->ci) continue;
    most = std::max(most, check.slowdown->ci->high);
    ++tested;
  }
  return fmt::format("No regression: {} {}, within the margin of {}.",
                     tested == 1 ? std::string("the one configuration takes")
                                 : fmt::format("all {} configurations take", tested),
                     bounded_above(std::log1p(most)), percent(*gate.margin));
}

std::string open_words(const findings::Gate& gate) {
  if (gate.checks.empty()) return "Cannot tell: there is nothing to compare.";
  const auto open = checks_with(gate, Outcome::inconclusive);
  double smallest = 0;
  const GateCheck* untested = nullptr;
  for (const GateCheck* check : open) {
    smallest = std::max(smallest, check->smallest_shown.value_or(0));
    if (untested == nullptr && !check->slowdown) untested = check;
  }
  std::string text = fmt::format(
      "Cannot tell: for {} of {}, a slowdown beyond the margin of {} is possible but not "
      "significant.",
      open.size(), base::counted(gate.checks.size(), "configuration"), percent(*gate.margin));
  if (smallest > 0) {
    text += fmt::format(" Where testable, a measured slowdown of {} is significant.",
                        percent(smallest));
  }
  return untested == nullptr ? text : text + " " + untested->message;
}

}  // namespace

const char* words_of(Unit unit) {
  switch (unit) {
    case Unit::pairs_of_visits:
      return "pairs of visits";
    case Unit::runs_a_side:
      return "runs a side";
    case Unit::pairs_of_runs:
      return "pairs of runs";
  }
  return "";
}

Unit unit_of(const findings::Comparison& comparison) {
  if (comparison.test == findings::ComparisonTest::welch_runs) return Unit::runs_a_side;
  return comparison.test == findings::ComparisonTest::paired_runs ? Unit::pairs_of_runs
                                                                  : Unit::pairs_of_visits;
}

namespace {

// What more visits of the same length would not tell.
std::string unseen_words(const timing::Unseen& unseen) {
  constexpr double kMatters = 0.01;
  const double most = std::max(unseen.longer, unseen.shorter);
  if (most < kMatters) return "";
  return fmt::format(
      "; some iterations take far longer, and the visits are too short for several of these. The "
      "mean may be off by {}: measure longer visits (--min-visit-time)",
      percent(std::expm1(most)));
}

}  // namespace

std::string verdict_words(const PlannedPair& pair, const Open& open, const SlowdownTest& test,
                          Outcome outcome) {
  const auto sentence = [&](const std::string& takes, const std::string& why) {
    std::string text = fmt::format("{} takes {}{} than {} at {} ({}){}", pair.other_words, takes,
                                   test.by_mean ? " on average" : "", pair.base_words, pair.where,
                                   why, typical_words(open, test));
    const auto& slow = open.comparison.slow_visits;
    if (slow) text += "; " + slow_words(*slow, pair.base_words, pair.other_words);
    if (outcome == Outcome::inconclusive) text += unseen_words(open.mean.unseen);
    return text + ".";
  };
  switch (outcome) {
    case Outcome::failed:
      return sentence("at least " + change(test.at_least), measured(open, test));
    case Outcome::passed:
      return sentence(bounded_above(test.at_most), measured(open, test));
    case Outcome::inconclusive:
      break;
  }
  return sentence(change(test.value),
                  fmt::format("between {} and {}; {} {}; significant from {}",
                              change(test.at_least), change(test.at_most), open.comparison.n,
                              words_of(unit_of(open.comparison)), change(test.smallest_shown)));
}

std::string untested_words(const PlannedPair& pair, const Open& open) {
  const std::string what =
      fmt::format("{} against {} at {}", pair.other_words, pair.base_words, pair.where);
  if (open.comparison.test == findings::ComparisonTest::welch) {
    return what + ": two single runs are not enough, the difference may be variation between runs.";
  }
  const bool over_runs = open.comparison.test != findings::ComparisonTest::paired;
  const int floor = over_runs ? timing::kRunsToProve : timing::kPairsToProve;
  if (open.comparison.n < floor) {
    return fmt::format("{}: only {} {}, but the test needs {}.", what, open.comparison.n,
                       words_of(unit_of(open.comparison)), floor);
  }
  if (!open.settled) {
    return fmt::format(
        "{}: the visits may still include warm-up: measure longer visits (--min-visit-time).",
        what);
  }
  return what + ": not measured by profile in fresh processes, so not testable.";
}

std::string failure_words(const PlannedPair& pair, Outcome outcome) {
  const SideRecord& base = pair.of_base;
  const SideRecord& other = pair.of_other;
  if (base.given_up) {
    return fmt::format("{} itself fails at {} ({}){}: there is no baseline.", pair.base_words,
                       pair.where, base.what,
                       other.given_up ? ", as does " + pair.other_words : "");
  }
  if (other.given_up) {
    return fmt::format("{} fails at {}, where {} {}: {}.", pair.other_words, pair.where,
                       pair.base_words,
                       outcome == Outcome::failed ? "does not" : "failed once, too", other.what);
  }
  if (other.failures > 0) {
    return fmt::format("{} failed in {} at {}, {} in none: {}.", pair.other_words,
                       base::counted(other.failures, "visit"), pair.where, pair.base_words,
                       other.what);
  }
  const std::string& missing = other.measured ? pair.base_words : pair.other_words;
  if (pair.axis_id == schema::AxisId::model)
    return fmt::format("{} was not measured at {}.", missing, pair.where);
  // Where several models were measured the place names this one.
  const bool named = base::contains_text(pair.where, pair.config.model);
  return fmt::format("{} has no visits{} at {}.", missing,
                     named ? "" : " of model " + pair.config.model, pair.where);
}

std::string gate_words(const findings::Gate& gate) {
  if (gate.outcome == Outcome::failed) return failed_words(gate);
  return gate.outcome == Outcome::passed ? passed_words(gate) : open_words(gate);
}

std::string advice_words(const findings::Gate& gate, Unit of) {
  const char* const unit = words_of(of);
  int needed = 0, n = 0;
  bool hardly = false, scatters = false;
  for (const GateCheck* check : checks_with(gate, Outcome::inconclusive)) {
    const bool endless = check->slowdown && !check->needed;
    // As far over the margin as the margin is from 0, and still not shown.
    const bool wide = check->smallest_shown.value_or(0) > 2 * *gate.margin;
    scatters |= endless && wide;
    hardly |= endless && !wide;
    if (check->needed.value_or(0) > needed) needed = *check->needed, n = check->n;
  }
  std::string advice;
  if (needed > 0) {
    const bool blocks = of == Unit::pairs_of_visits;
    advice = fmt::format("About {} {} should settle it (now {}){}.", needed, unit, n,
                         blocks ? fmt::format(": measure again with --blocks {}", needed) : "");
  }
  if (scatters) {
    advice += fmt::format(
        "{}The {} scatter too much for this margin: make the machine quieter (pin threads, stop "
        "other programs), or allow a wider margin.",
        advice.empty() ? "" : " ", unit);
  }
  if (hardly) {
    advice += fmt::format(
        "{}The result is too close to the margin for a practical number of {}: reduce the noise, "
        "or choose another margin.",
        advice.empty() ? "" : " ", unit);
  }
  return advice;
}

}  // namespace batchscope::compare
