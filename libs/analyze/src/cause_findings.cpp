#include "cause_findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "batchscope/analyze/catalogue.hpp"
#include "batchscope/analyze/causes.hpp"
#include "batchscope/stats/multiplicity.hpp"
#include "intervention_effect.hpp"
#include "suspicions.hpp"
#include "wording.hpp"

namespace batchscope::analyze {
namespace {

using schema::Finding;
using schema::Status;

constexpr std::size_t kFewestPairs = 6;
// An effect that is surely there but smaller than this is not worth setting anything.
constexpr double kSmallestEffect = 0.01;
constexpr const char* kBeyondNeighbour = "time_saved_beyond_neighbour";

// A suspicion with what its intervention showed.
struct Tried {
  const GroupData* group = nullptr;
  CauseSuspicion suspicion;
  std::optional<InterventionEffect> effect;            // at the size in question
  std::optional<stats::MeanEstimate> saved;            // of `effect`
  std::optional<stats::MeanEstimate> saved_neighbour;  // the same at the neighbour
  std::optional<stats::MeanEstimate> difference;       // of the two
  stats::HolmVerdict verdict;
};

const schema::RunConfig& config_at(const Tried& tried, const SizeSignals& size) {
  return tried.group->configs[size.column].config;
}

Tried try_out(const RunView& view, const GroupData& group, const CauseSuspicion& suspicion,
              const Options& options) {
  Tried tried{&group, suspicion, {}, {}, {}, {}, {}};
  const auto& environment = tried.suspicion.rule->environment;
  tried.effect = effect_on(*view.run, config_at(tried, tried.suspicion.at), environment);
  if (!tried.effect) return tried;
  tried.saved = stats::estimate_mean(tried.effect->saved, options.method);
  if (!tried.suspicion.neighbour) return tried;
  const auto& there = config_at(tried, *tried.suspicion.neighbour);
  const auto neighbour = effect_on(*view.run, there, environment);
  if (!neighbour) return tried;
  tried.saved_neighbour = stats::estimate_mean(neighbour->saved, options.method);
  tried.difference = stats::estimate_mean(difference(*tried.effect, *neighbour), options.method);
  return tried;
}

// ln(without / with) as the share of the time that is saved.
schema::Estimate share_saved(const stats::MeanEstimate& saved, double level) {
  const stats::Interval interval = stats::two_sided_interval(saved, level);
  return {-std::expm1(-saved.value),
          schema::Interval{-std::expm1(-interval.low), -std::expm1(-interval.high)}};
}

Status status_of(const Tried& tried, const RunView& view, const Options& options) {
  if (!tried.saved || tried.saved->n < kFewestPairs) return Status::suspected;
  const bool may_prove = view.repeated && tried.group->settled;
  const bool saves = tried.verdict.rejected && -std::expm1(-tried.saved->value) >= kSmallestEffect;
  if (saves && may_prove) return Status::confirmed;
  const double most = stats::upper_bound(*tried.saved, options.level);
  return most < std::log1p(options.delta) ? Status::refuted : Status::suspected;
}

std::string faults_words(const Tried& tried) {
  const ConfigSignals& at = tried.suspicion.at.signals;
  std::string text = fmt::format("{} page faults and {} of system time an iteration",
                                 three_digits(at.minor_faults), milliseconds(at.system_ns / 1e6));
  if (tried.suspicion.neighbour) {
    const SizeSignals& there = *tried.suspicion.neighbour;
    text += fmt::format(" ({} and {} at batch {})", three_digits(there.signals.minor_faults),
                        milliseconds(there.signals.system_ns / 1e6),
                        config_at(tried, there).shape.batch_size);
  }
  return text;
}

std::string effect_words(const Tried& tried, Status status, double level) {
  if (!tried.saved) return " No intervention was measured (profile --diagnose does).";
  const schema::Estimate saved = share_saved(*tried.saved, level);
  std::string text =
      fmt::format(" Without it the batch takes {} {} time{}", percent(std::abs(saved.value)),
                  saved.value < 0 ? "more" : "less", in_interval(saved.ci));
  if (tried.saved_neighbour) {
    const schema::Estimate there = share_saved(*tried.saved_neighbour, level);
    text += fmt::format(", batch {} {} {}",
                        config_at(tried, *tried.suspicion.neighbour).shape.batch_size,
                        percent(std::abs(there.value)), there.value < 0 ? "more" : "less");
  }
  text += ".";
  if (status == Status::refuted) text += " So it is not what makes this batch slow.";
  if (status == Status::suspected) text += " That is too uncertain to confirm it.";
  return text;
}

void add_evidence(const Tried& tried, double level, Finding& finding) {
  const auto add = [&](const char* metric, schema::Estimate value, const char* unit) {
    finding.evidence.push_back({metric, value, unit});
  };
  const ConfigSignals& at = tried.suspicion.at.signals;
  add("minor_faults", {at.minor_faults, std::nullopt}, "an iteration");
  add("system_time_share", {at.system_share(), std::nullopt}, "ratio");
  if (tried.effect && tried.effect->with) {
    add("minor_faults_without", {tried.effect->with->minor_faults, std::nullopt}, "an iteration");
  }
  if (tried.saved) add("time_saved", share_saved(*tried.saved, level), "ratio");
  if (tried.difference) {
    add(kBeyondNeighbour, share_saved(*tried.difference, level), "ratio");
  }
}

Finding finding_of(const Tried& tried, const RunView& view, const Options& options) {
  const CauseSuspicion& suspicion = tried.suspicion;
  const double level =
      tried.saved && tried.verdict.alpha > 0 ? 1 - tried.verdict.alpha : options.level;
  Finding finding;
  finding.id = suspicion.rule->id;
  finding.doc = doc_link(finding.id);
  finding.status = status_of(tried, view, options);
  finding.where = config_at(tried, suspicion.at);
  finding.batch_sizes = {finding.where->shape.batch_size};
  finding.cause = suspicion.rule->words;
  finding.message =
      fmt::format("At batch {} {}: {}.{}", finding.batch_sizes.front(), suspicion.rule->words,
                  faults_words(tried), effect_words(tried, finding.status, level));
  add_evidence(tried, level, finding);
  if (finding.status != Status::refuted) finding.fix = export_line(suspicion.rule->environment);
  if (tried.saved) finding.p_value = tried.verdict.adjusted_p;
  if (finding.status != Status::confirmed) return finding;
  const schema::Estimate saved = share_saved(*tried.saved, level);
  finding.severity = severity_of_excess(std::expm1(tried.saved->value));
  finding.gain = saved.ci;
  finding.gain_unit = "ratio";
  return finding;
}

bool is_slow(const Finding& finding) {
  if (finding.status != Status::proven || finding.batch_sizes.size() != 1) return false;
  return std::any_of(finding.evidence.begin(), finding.evidence.end(), [](const auto& evidence) {
    return evidence.unit == "ratio" && evidence.estimate.value > 0;
  });
}

// Whether the cause accounts for more at this size than at its neighbour: what it costs everywhere
// makes no size odd.
bool explains_excess(const Finding& cause) {
  for (const schema::Evidence& evidence : cause.evidence) {
    if (evidence.metric != kBeyondNeighbour) continue;
    return evidence.estimate.ci && evidence.estimate.ci->low > 0;
  }
  return false;
}

}  // namespace

std::vector<Finding> cause_findings(const RunView& view, const Options& options) {
  std::vector<Tried> all;
  for (const GroupData& group : view.groups) {
    for (const CauseSuspicion& suspicion : suspicions_of(group)) {
      all.push_back(try_out(view, group, suspicion, options));
    }
  }
  std::vector<double> p_values;
  for (const Tried& tried : all) {
    if (tried.saved) p_values.push_back(stats::p_greater(*tried.saved));
  }
  const auto verdicts = stats::holm(p_values, 1 - options.level);
  std::size_t next = 0;
  std::vector<Finding> findings;
  for (Tried& tried : all) {
    if (tried.saved) tried.verdict = verdicts[next++];
    findings.push_back(finding_of(tried, view, options));
  }
  return findings;
}

void attribute(std::vector<Finding>& findings, const RunView& view) {
  const bool intervened =
      std::any_of(view.run->visits.begin(), view.run->visits.end(),
                  [](const auto& visit) { return visit.purpose == schema::Purpose::intervention; });
  for (Finding& finding : findings) {
    if (!is_slow(finding)) continue;
    const auto cause = std::find_if(findings.begin(), findings.end(), [&](const Finding& other) {
      return other.status == Status::confirmed && other.where == finding.where &&
             explains_excess(other);
    });
    if (cause != findings.end())
      finding.cause = cause->cause + " (confirmed, see " + cause->id + ")";
    if (cause == findings.end() && intervened) finding.cause = "unexplained";
  }
}

std::vector<Intervention> proposed_interventions(const schema::RunFile& run) {
  std::vector<Intervention> proposed;
  if (run.header.origin == "import") return proposed;
  const RunView view = view_run(run);
  for (const GroupData& group : view.groups) {
    for (const CauseSuspicion& suspicion : suspicions_of(group)) {
      Intervention one;
      one.cause = suspicion.rule->id;
      one.configs.push_back(group.configs[suspicion.at.column].config);
      if (suspicion.neighbour) {
        one.configs.push_back(group.configs[suspicion.neighbour->column].config);
      }
      one.environment = suspicion.rule->environment;
      proposed.push_back(std::move(one));
    }
  }
  return proposed;
}

}  // namespace batchscope::analyze
