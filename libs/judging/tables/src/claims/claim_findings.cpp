#include "claim_findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "batchscope/base/counted.hpp"
#include "batchscope/findings/catalogue.hpp"
#include "batchscope/findings/metrics.hpp"
#include "batchscope/findings/wording.hpp"
#include "batchscope/schema/run_file.hpp"
#include "batchscope/tables/tables.hpp"
#include "batchscope/timing/evidence.hpp"
#include "departure_words.hpp"

namespace batchscope::tables {
namespace {

using Row = findings::KindRow<>;
using Prose = findings::Prose<findings::Nothing>;
using findings::batches;
using findings::doc_link;
using findings::Finding;
using findings::Group;
using findings::in_interval;
using findings::list;
using findings::percent;
using findings::severity_of_excess;

constexpr findings::Metric kTime{
    "time", "Typical time of an iteration: the geometric mean over visits of each visit's median.",
    "ms"};

// Where an odd size would have to be off by more than this to be told, "one law" says nothing.
constexpr double kTooNoisy = 0.5;

constexpr auto kSplit = Row(
    findings::kDominated, "A split of this batch is faster",
    Prose("The batch takes longer than the same samples as several smaller batches, or padded to a "
          "larger one. batchscope chooses the best other way on the odd blocks and tests it on the "
          "even ones, pair by pair within each block; the excess must exceed {%}. A proof needs at "
          "least 12 "
          "complete blocks.",
          TestOptions{}.delta),
    "Do not use this batch: split or pad it as in the finding. It is not a good size.",
    Prose("low above {%}, medium above {%}, high above {%} of excess; info while only suspected",
          findings::kLowExcess, findings::kMediumExcess, findings::kHighExcess),
    metrics(&kTime, &findings::metric::kExcessOverSplit));

constexpr auto kOddSize = Row(
    findings::kDeparture, "This batch size is slower or faster than the other sizes suggest",
    Prose(
        "The time differs by more than {%} from the law of the other sizes (a + b x; from 6 sizes "
        "on also a staircase or a roofline). This is the smallest set of sizes to exclude so that "
        "one law fits the rest. It can be slower or faster: use a faster one. If several sets are "
        "possible, the finding names \"one of\" the sizes. At an end of the sizes, an odd size and "
        "a change of regime give the same picture, so the finding is only suspected.",
        TestOptions{}.delta),
    "Slower and proven: find the cause at this size (page faults, memory, phases) or avoid it. "
    "Faster: prefer it. Suspected: measure more blocks and the proposed sizes in between.",
    Prose("low above {%}, medium above {%}, high above {%} of excess; info while only suspected",
          findings::kLowExcess, findings::kMediumExcess, findings::kHighExcess),
    metrics(&kTime, &findings::metric::kExcessOverLaw, &findings::metric::kExcessOverNeighbours));

constexpr auto kLawless =
    Row(findings::kNoLaw, "No single law describes the sizes",
        "No subset of the sizes follows one law, with up to half of the sizes not needed for a fit "
        "excluded. So there is no proof for any size; sizes that differ from their neighbours are "
        "suspects.",
        "Measure more sizes: 6 or more separate bends and steps from odd sizes.", "info",
        metrics(&kTime));

struct Context {
  const GroupClaims& claims;
  const RunView& view;
  const Group& group;
  const TestOptions& options;
};

const findings::ConfigRow* row_of(const Group& group, int64_t size) {
  const auto found = std::find_if(
      group.rows.begin(), group.rows.end(),
      [&](const findings::ConfigRow& row) { return row.config.shape.batch_size == size; });
  return found == group.rows.end() ? nullptr : &*found;
}

Finding start(const Context& context, const findings::KindRow<>& kind, std::vector<int64_t> sizes,
              bool proven) {
  Finding finding;
  finding.doc = doc_link(kind.id);
  finding.id = kind.id;
  finding.status = proven ? findings::Status::proven : findings::Status::suspect;
  finding.batch_sizes = std::move(sizes);
  if (finding.batch_sizes.size() == 1) {
    if (const auto* row = row_of(context.group, finding.batch_sizes.front())) {
      finding.where = row->config;
      finding.evidence.push_back(evidence_of(kTime, row->time_ms));
    }
  }
  return finding;
}

double level_of(const stats::HolmVerdict& verdict, const TestOptions& options) {
  return verdict.alpha > 0 ? verdict.alpha : 1 - options.level;
}

// From ln units to a ratio of excess: 0.10 = 10 % more.
findings::Estimate excess_ratio(const stats::MeanEstimate& estimate,
                                const std::optional<stats::Interval>& interval) {
  findings::Estimate ratio{std::expm1(estimate.value), std::nullopt};
  if (interval) ratio.ci = stats::Interval{std::expm1(interval->low), std::expm1(interval->high)};
  return ratio;
}

// What stands in the way of a proof beside the evidence itself. That a whole run cannot prove
// anything (imported, isolation none) is said once, as a warning.
std::string held_back(const Context& context, const std::string& doubt, std::size_t blocks,
                      std::size_t floor) {
  if (!context.view.repeated) return "";
  if (!context.claims.may_prove) return " Not proven: its times may still include warm-up.";
  if (!doubt.empty()) return fmt::format(" Not proven: not significant {}.", doubt);
  if (blocks >= floor) return "";
  return fmt::format(" Not proven: only {} of {} needed.", base::counted(blocks, "complete block"),
                     floor);
}

Finding dominance_finding(const Context& context, const TestedDominance& tested) {
  const DominanceClaim& claim = tested.claim;
  const int64_t size = context.claims.dominance_sizes[claim.size_index];
  Finding finding = start(context, kSplit, {size}, tested.proven);
  std::optional<stats::Interval> interval;
  if (claim.excess.n > 1) {
    const double level = 1 - level_of(tested.verdict, context.options);
    interval = stats::Interval{stats::lower_bound(claim.excess, level),
                               stats::upper_bound(claim.excess, level)};
  }
  const findings::Estimate ratio = excess_ratio(claim.excess, interval);
  const std::string split = describe(claim.split);
  finding.evidence.push_back(evidence_of(findings::metric::kExcessOverSplit, ratio));
  if (claim.excess.n > 1) finding.p_value = tested.verdict.adjusted_p;
  const bool larger = claim.split.parts.size() == 1;
  finding.what = fmt::format(
      "Batch {} takes {} longer than {}{}.", size, percent(ratio.value),
      larger ? fmt::format("a batch of {}", split) : fmt::format("running it as {}", split),
      in_interval(ratio.ci));
  const std::string lead = tested.proven ? "" : "If confirmed: ";
  finding.fix = larger ? fmt::format("{}{} a batch of {} to {}.", lead,
                                     lead.empty() ? "Pad" : "pad", size, split)
                       : fmt::format("{}{} {} samples as {} instead of one batch.", lead,
                                     lead.empty() ? "Run" : "run", size, split);
  if (ratio.ci && ratio.ci->low > 0) {
    finding.gain = stats::Interval{1 - 1 / (1 + ratio.ci->low), 1 - 1 / (1 + ratio.ci->high)};
    finding.gain_unit = findings::kRatioUnit;
  }
  if (tested.proven) {
    finding.severity = severity_of_excess(ratio.value);
  } else {
    finding.what += held_back(context, tested.doubt, claim.n_blocks, timing::kPairsToProveAChoice);
  }
  return finding;
}

// The interval of a departure's size, as positive numbers in the direction it departs.
std::string size_interval(const findings::Estimate& ratio) {
  if (!ratio.ci) return "";
  return ratio.value > 0 ? in_interval(ratio.ci)
                         : in_interval(stats::Interval{-ratio.ci->high, -ratio.ci->low});
}

findings::Estimate departure_ratio(const Context& context, const DepartureMember& member) {
  std::optional<stats::Interval> interval;
  if (member.excess.n > 1) {
    // At the level at which each of the sets that it was chosen from is tested.
    const double alpha = level_of(context.claims.departure_verdict, context.options);
    interval =
        stats::two_sided_interval(member.excess, 1 - alpha / context.claims.departure.choices);
  }
  return excess_ratio(member.excess, interval);
}

Finding member_finding(const Context& context, const DepartureMember& member, bool proven) {
  const int64_t size = context.claims.departure_sizes[member.size_index];
  Finding finding = start(context, kOddSize, {size}, proven);
  const findings::Estimate ratio = departure_ratio(context, member);
  finding.evidence.push_back(evidence_of(findings::metric::kExcessOverLaw, ratio));
  if (member.excess.n > 1) finding.p_value = context.claims.departure_verdict.adjusted_p;
  finding.what = fmt::format("Batch {} {} than the other sizes suggest{}{}.", size,
                             slower_or_faster(ratio.value), size_interval(ratio),
                             positive_words(context.group, size, ratio.value));
  finding.fix = departure_fix(size, ratio.value, proven);
  if (ratio.value > 0 && ratio.ci && ratio.ci->low > 0) {
    finding.gain = stats::Interval{1 - 1 / (1 + ratio.ci->low), 1 - 1 / (1 + ratio.ci->high)};
    finding.gain_unit = findings::kRatioUnit;
  }
  if (proven) {
    // Better than expected is nothing to be warned of.
    finding.severity = ratio.value > 0 ? severity_of_excess(ratio.value) : findings::Severity::info;
  }
  return finding;
}

std::vector<int64_t> sizes_of(const GroupClaims& claims) {
  std::vector<int64_t> sizes;
  for (const DepartureSet& set : claims.departure.sets) {
    for (const DepartureMember& member : set.members) {
      sizes.push_back(claims.departure_sizes[member.size_index]);
    }
  }
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

std::string measure_more(const Context& context) {
  const Group& group = context.group;
  if (group.suggested_controls.empty()) return "Measure more blocks, or sizes in between.";
  // The model of a table is a name, which nothing here can measure.
  const bool elsewhere = context.view.run->header.origin == schema::Origin::imported;
  return fmt::format("Measure {} too ({}).", batches(group.suggested_controls),
                     elsewhere ? "needs the model itself" : "profile --controls auto");
}

// Members at one or both ends: an odd size there and a bend of the curve look the same.
Finding end_finding(const Context& context, const std::vector<DepartureMember>& members) {
  std::vector<int64_t> sizes;
  for (const DepartureMember& member : members) {
    sizes.push_back(context.claims.departure_sizes[member.size_index]);
  }
  const findings::Estimate ratio = departure_ratio(context, members.front());
  const bool top = sizes.back() == context.claims.departure_sizes.back();
  Finding finding = start(context, kOddSize, sizes, false);
  finding.evidence.push_back(evidence_of(findings::metric::kExcessOverLaw, ratio));
  finding.what =
      fmt::format("{} {} {} than the {} sizes suggest: an odd size, or a different regime {}.",
                  sizes.size() == 1 ? "Batch" : "Batches", list(sizes),
                  slower_or_faster(ratio.value, sizes.size() > 1), top ? "smaller" : "larger",
                  top ? "begins" : "ends");
  finding.fix = measure_more(context);
  return finding;
}

Finding one_of_finding(const Context& context) {
  Finding finding = start(context, kOddSize, sizes_of(context.claims), false);
  finding.what = fmt::format(
      "One of the batch sizes {} departs from the law of the others, but it is unclear which.",
      list(finding.batch_sizes, "or"));
  finding.fix = measure_more(context);
  return finding;
}

Finding odd_finding(const Context& context, const DepartureMember& member) {
  const int64_t size = context.claims.departure_sizes[member.size_index];
  Finding finding = start(context, kOddSize, {size}, false);
  const findings::Estimate ratio = departure_ratio(context, member);
  finding.evidence.push_back(evidence_of(findings::metric::kExcessOverNeighbours, ratio));
  finding.what = fmt::format("Batch {} {} than its neighbours {} and {} suggest{}.", size,
                             slower_or_faster(ratio.value),
                             context.claims.departure_sizes[member.size_index - 1],
                             context.claims.departure_sizes[member.size_index + 1],
                             positive_words(context.group, size, ratio.value));
  finding.what += held_back(context, "", context.claims.departure_blocks, timing::kPairsToProve);
  finding.fix = measure_more(context);
  return finding;
}

Finding no_law_finding(const Context& context) {
  Finding finding = start(context, kLawless, context.claims.departure_sizes, false);
  finding.what =
      "No single law fits the times, with any sizes excluded, so there is no proof for any size.";
  finding.fix = measure_more(context);
  return finding;
}

// One pair of visits is no figure; a table of single numbers is taken at its word.
bool is_figure(std::size_t pairs, const RunView& view) {
  return pairs > 1 || !view.repeated;
}

void add_members(const Context& context, const DepartureSet& set, std::vector<Finding>& findings) {
  std::vector<DepartureMember> at_end;
  for (const DepartureMember& member : set.members) {
    if (member.at_end) {
      at_end.push_back(member);
      continue;
    }
    const bool proven = member.provable && context.claims.departure_proven;
    Finding finding = member_finding(context, member, proven);
    if (!member.provable) {
      finding.what += " Not proven: it vanishes without the sizes at the end.";
    } else if (!proven) {
      finding.what += held_back(context, context.claims.departure_doubt,
                                context.claims.departure_blocks, timing::kPairsToProve);
    }
    findings.push_back(std::move(finding));
  }
  if (!at_end.empty()) findings.push_back(end_finding(context, at_end));
}

void add_departure(const Context& context, std::vector<Finding>& findings) {
  const Departure& departure = context.claims.departure;
  if (!is_figure(context.claims.departure_blocks, context.view)) return;
  switch (departure.outcome) {
    case DepartureOutcome::untestable:
      break;
    case DepartureOutcome::one_law:
      for (const DepartureSet& set : departure.sets) {
        findings.push_back(end_finding(context, set.members));
      }
      break;
    case DepartureOutcome::departs:
      add_members(context, departure.sets.front(), findings);
      break;
    case DepartureOutcome::one_of:
      findings.push_back(one_of_finding(context));
      break;
    case DepartureOutcome::no_law:
      findings.push_back(no_law_finding(context));
      for (const DepartureMember& member : context.claims.odd) {
        findings.push_back(odd_finding(context, member));
      }
      break;
  }
}

// Whether the blocks that the choice has not seen point the same way: else it is no suspicion.
bool is_suspicious(const DominanceClaim& claim, const TestOptions& options) {
  if (claim.excess.n > 1) return claim.p < 1 - options.level;
  return claim.excess.value > std::log1p(options.delta);
}

}  // namespace

std::vector<Finding> findings_of(const GroupClaims& claims, const RunView& view, const Group& group,
                                 const TestOptions& options) {
  const Context context{claims, view, group, options};
  std::vector<Finding> findings;
  for (const TestedDominance& tested : claims.dominance) {
    if (!is_figure(tested.claim.excess.n, view)) continue;
    if (tested.proven || !tested.doubt.empty() || is_suspicious(tested.claim, options)) {
      findings.push_back(dominance_finding(context, tested));
    }
  }
  add_departure(context, findings);
  return findings;
}

std::string departure_words(const GroupClaims& claims) {
  const Departure& departure = claims.departure;
  const std::vector<int64_t> sizes = sizes_of(claims);
  switch (departure.outcome) {
    case DepartureOutcome::untestable:
      return "untestable";
    case DepartureOutcome::no_law:
      return "no law fits";
    case DepartureOutcome::one_of:
      return fmt::format("one of {}", list(sizes, "or"));
    case DepartureOutcome::one_law:
      if (departure.n_blocks > 1 && std::expm1(claims.departure_to_be_proven) > kTooNoisy) {
        return "inconclusive: too noisy";
      }
      return departure.sets.empty() ? "one law fits all sizes"
                                    : "one law with a bend fits all sizes";
    case DepartureOutcome::departs:
      break;
  }
  const char* verb = sizes.size() == 1 ? "departs" : "depart";
  if (departure.sets.front().at_end) {
    return fmt::format("{} {}, or a different regime", list(sizes), verb);
  }
  return fmt::format("{} {}{}", list(sizes), verb, claims.departure_proven ? "" : " (suspected)");
}

findings::Catalogue kinds() {
  return {kSplit.kind(), kOddSize.kind(), kLawless.kind()};
}

}  // namespace batchscope::tables
