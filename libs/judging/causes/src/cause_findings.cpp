#include "batchscope/causes/cause_findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "batchscope/causes/interventions.hpp"
#include "batchscope/findings/catalogue.hpp"
#include "batchscope/findings/metrics.hpp"
#include "batchscope/findings/wording.hpp"
#include "batchscope/schema/device_name.hpp"
#include "batchscope/stats/multiplicity.hpp"
#include "batchscope/timing/evidence.hpp"
#include "bottlenecks.hpp"
#include "intervention_effect.hpp"
#include "suspicions.hpp"

namespace batchscope::causes {
namespace {

using findings::doc_link;
using findings::Finding;
using findings::in_interval;
using findings::percent;
using findings::severity_of_excess;
using findings::Status;
using tables::GroupData;
using tables::RunView;
using tables::TestOptions;
using tables::view_run;

// An effect that is surely there but smaller than this is not worth setting anything.
constexpr double kSmallestEffect = 0.01;
constexpr std::string_view kHeapReturned = "cause.heap-returned";

// A suspicion with what its intervention showed.
struct Tried {
  const TableFacts* table = nullptr;
  CauseSuspicion suspicion;
  std::optional<InterventionEffect> effect;            // at the size in question
  std::optional<stats::MeanEstimate> saved;            // of `effect`
  std::optional<stats::MeanEstimate> saved_neighbour;  // the same at the neighbour
  std::optional<stats::MeanEstimate> difference;       // of the two
  stats::HolmVerdict verdict;
  bool looked = false;  // the run was diagnosed
  // All visits together do not tell how long the model warms up: what is compared may hold some of
  // it.
  bool may_be_warming = false;

  // What the verdict rests on.
  const std::optional<stats::MeanEstimate>& judged() const {
    const bool beyond = suspicion.rule->judged == Judged::beyond_neighbour ||
                        (suspicion.rule->judged == Judged::beyond_any_neighbour && difference);
    return beyond ? difference : saved;
  }
};

const schema::RunConfig& config_at(const Tried& tried, const SizeSignal& size) {
  return tried.table->sizes[size.column].config->config;
}

std::optional<Ablation> ablation_of(const CauseRule& rule, const schema::RunConfig& config) {
  const auto without = rule.without == nullptr ? std::nullopt : rule.without(config);
  return without ? std::optional(Ablation{config, *without}) : std::nullopt;
}

std::optional<InterventionEffect> effect_at(const RunView& view, const Tried& tried,
                                            const SizeSignal& size) {
  const auto ablation = ablation_of(*tried.suspicion.rule, config_at(tried, size));
  return ablation ? effect_of(view, *ablation, tried.suspicion.rule->by_mean) : std::nullopt;
}

bool warmup_is_open(const RunView& view, const SizeFacts& size) {
  if (view.run->header.plan.warmup) return false;  // as the user wants it
  const stats::WarmupNeed& need = view.warmups.of(size.config->config_index, size.iteration_ns());
  return need.visits > 0 && !need.determined;
}

Tried try_out(const RunView& view, const TableFacts& table, CauseSuspicion suspicion,
              const TestOptions& options) {
  Tried tried{&table, std::move(suspicion),           {},   {}, {}, {},
              {},     view.run->header.plan.diagnose, false};
  tried.may_be_warming = warmup_is_open(view, table.sizes[tried.suspicion.at.column]);
  tried.effect = effect_at(view, tried, tried.suspicion.at);
  if (!tried.effect) return tried;
  tried.may_be_warming |= !tried.effect->settled;
  tried.saved = stats::estimate_mean(tried.effect->saved, options.method);
  if (!tried.suspicion.neighbour) return tried;
  const auto neighbour = effect_at(view, tried, *tried.suspicion.neighbour);
  if (!neighbour) return tried;
  tried.may_be_warming |= !neighbour->settled;
  tried.saved_neighbour = stats::estimate_mean(neighbour->saved, options.method);
  const std::vector<double> beyond = difference(*tried.effect, *neighbour);
  if (!beyond.empty()) tried.difference = stats::estimate_mean(beyond, options.method);
  return tried;
}

// ln(without / with) as the share of the time that is saved.
findings::Estimate share_saved(const stats::MeanEstimate& saved, double level) {
  const stats::Interval interval = stats::two_sided_interval(saved, level);
  return {-std::expm1(-saved.value),
          stats::Interval{-std::expm1(-interval.low), -std::expm1(-interval.high)}};
}

Status status_of(const Tried& tried, const RunView& view, const TestOptions& options) {
  const auto& judged = tried.judged();
  if (!judged || judged->n < timing::kPairsToProve) return Status::suspected;
  const bool may_prove = view.repeated && tried.table->group->settled && !tried.may_be_warming;
  const bool saves = tried.verdict.rejected && -std::expm1(-judged->value) >= kSmallestEffect;
  if (saves && may_prove) return Status::confirmed;
  if (tried.may_be_warming) return Status::suspected;
  const double most = stats::upper_bound(*judged, options.level);
  return most < std::log1p(options.delta) ? Status::refuted : Status::suspected;
}

std::string signal_words(const Tried& tried) {
  std::string text = tried.suspicion.at.signal.words;
  if (const auto& there = tried.suspicion.neighbour) {
    text += fmt::format(" (at batch {}: {})", config_at(tried, *there).shape.batch_size,
                        there->signal.words);
  }
  return text;
}

std::string saving_words(const findings::Estimate& saved) {
  return fmt::format("{} {} time", percent(std::abs(saved.value)),
                     saved.value < 0 ? "more" : "less");
}

// The others may tell another story.
std::string where_words(const Tried& tried) {
  const int64_t at = config_at(tried, tried.suspicion.at).shape.batch_size;
  if (!tried.saved_neighbour) return fmt::format(" Tested at batch {} only.", at);
  const int64_t there = config_at(tried, *tried.suspicion.neighbour).shape.batch_size;
  return fmt::format(" Tested at batches {} and {} only.", std::min(at, there),
                     std::max(at, there));
}

std::string verdict_words(const Tried& tried, Status status) {
  if (status == Status::refuted) return " This is not the cause.";
  if (status != Status::suspected) return "";
  if (tried.may_be_warming) {
    return " The length of the warm-up is unknown, so the cause is neither confirmed nor refuted.";
  }
  return " This is too uncertain to confirm the cause.";
}

std::string effect_words(const Tried& tried, Status status, double level) {
  const CauseRule& rule = *tried.suspicion.rule;
  if (!ablation_of(rule, config_at(tried, tried.suspicion.at))) {
    return " No experiment can remove this cause, so it is only suspected.";
  }
  if (!tried.saved && tried.looked) {
    return " Not tested: the budget was spent on other causes, or --diagnose names no causes.";
  }
  if (!tried.saved) {
    return " Not tested (profile --diagnose does).";
  }
  const findings::Estimate saved = share_saved(*tried.saved, level);
  std::string text = fmt::format(" Measured {}, a sample takes {}{}", rule.experiment,
                                 saving_words(saved), in_interval(saved.ci));
  if (tried.saved_neighbour) {
    text += fmt::format(", and at batch {}, {}",
                        config_at(tried, *tried.suspicion.neighbour).shape.batch_size,
                        saving_words(share_saved(*tried.saved_neighbour, level)));
  }
  text += ".";
  if (rule.judged != Judged::by_time && tried.difference) {
    const findings::Estimate beyond = share_saved(*tried.difference, level);
    text += fmt::format(" Compared with the neighbour: {}{}.", saving_words(beyond),
                        in_interval(beyond.ci));
  }
  text += verdict_words(tried, status);
  const std::size_t sizes = tried.table->sizes.size();
  return sizes > (tried.saved_neighbour ? 2U : 1U) ? text + where_words(tried) : text;
}

// The same number with the intervention, where it is one of the usage.
void add_signal_without(const Tried& tried, Finding& finding) {
  if (tried.suspicion.rule->kind.id != kHeapReturned || !tried.effect || !tried.effect->with)
    return;
  finding.evidence.push_back(evidence_of(kMinorFaultsWithout, tried.effect->with->minor_faults));
}

void add_evidence(const Tried& tried, double level, Finding& finding) {
  finding.evidence = tried.suspicion.at.signal.evidence;
  add_signal_without(tried, finding);
  const auto add = [&](const findings::Metric& metric, const findings::Estimate& value) {
    finding.evidence.push_back(evidence_of(metric, value));
  };
  if (tried.saved) add(findings::metric::kTimeSaved, share_saved(*tried.saved, level));
  if (tried.difference) {
    add(findings::metric::kTimeSavedBeyondNeighbour, share_saved(*tried.difference, level));
  }
}

std::string fix_of(const Tried& tried) {
  const CauseRule& rule = *tried.suspicion.rule;
  const schema::RunConfig& config = config_at(tried, tried.suspicion.at);
  const bool beside_cuda = !rule.advice_beside_cuda.empty() && !schema::is_cuda(config.device);
  const std::string_view advice = beside_cuda ? rule.advice_beside_cuda : rule.advice;
  if (!advice.empty()) return std::string(advice);
  const auto ablation = ablation_of(rule, config);
  return ablation ? export_line(ablation->without.environment) : std::string();
}

Finding finding_of(const Tried& tried, const RunView& view, const TestOptions& options) {
  const CauseSuspicion& suspicion = tried.suspicion;
  const auto& judged = tried.judged();
  const double level = judged && tried.verdict.alpha > 0 ? 1 - tried.verdict.alpha : options.level;
  Finding finding;
  finding.id = suspicion.rule->kind.id;
  finding.doc = doc_link(finding.id);
  finding.status = status_of(tried, view, options);
  const schema::RunConfig& config = config_at(tried, suspicion.at);
  finding.where = config;
  finding.batch_sizes = {config.shape.batch_size};
  finding.cause = suspicion.rule->words;
  finding.what =
      fmt::format("At batch {} {}: {}.{}", finding.batch_sizes.front(), suspicion.rule->words,
                  signal_words(tried), effect_words(tried, finding.status, level));
  add_evidence(tried, level, finding);
  if (finding.status != Status::refuted) finding.fix = fix_of(tried);
  if (judged) finding.p_value = tried.verdict.adjusted_p;
  if (finding.status != Status::confirmed) return finding;
  const findings::Estimate saved = share_saved(*judged, level);
  finding.severity = severity_of_excess(std::expm1(judged->value));
  finding.gain = saved.ci;
  finding.gain_unit = findings::kRatioUnit;
  return finding;
}

std::vector<TableFacts> all_facts(const RunView& view) {
  std::vector<TableFacts> tables;
  for (const GroupData& group : view.groups) tables.push_back(facts_of(view, group));
  return tables;
}

bool is_slow(const Finding& finding) {
  if (finding.status != Status::proven || finding.batch_sizes.size() != 1) return false;
  return std::any_of(finding.evidence.begin(), finding.evidence.end(), [](const auto& evidence) {
    return evidence.unit == findings::kRatioUnit && evidence.estimate.value > 0;
  });
}

// Whether the cause accounts for more at this size than at its neighbour: what it costs everywhere
// makes no size odd.
bool explains_excess(const Finding& cause) {
  for (const findings::Evidence& evidence : cause.evidence) {
    if (evidence.metric != findings::metric::kTimeSavedBeyondNeighbour.name) continue;
    return evidence.estimate.ci && evidence.estimate.ci->low > 0;
  }
  return true;  // no neighbour was measured, or none has less of the signal
}

// What is said of an odd size for which no cause was confirmed.
std::string unexplained_words(const Finding& finding, const std::vector<Finding>& findings) {
  for (const Finding& other : findings) {
    const bool nearby = other.status == Status::confirmed && other.table == finding.table &&
                        other.where != finding.where && other.id.starts_with("cause.");
    if (!nearby) continue;
    return fmt::format("unexplained: {}, confirmed at batch {}, was not tested at this size",
                       other.id, other.batch_sizes.front());
  }
  return "unexplained";
}

}  // namespace

std::vector<Finding> cause_findings(const RunView& view, const TestOptions& options) {
  const auto tables = all_facts(view);
  std::vector<Tried> all;
  for (const TableFacts& table : tables) {
    for (CauseSuspicion& suspicion : suspicions_of(*view.run, table)) {
      all.push_back(try_out(view, table, std::move(suspicion), options));
    }
  }
  std::vector<double> p_values;
  for (const Tried& tried : all) {
    if (tried.judged()) p_values.push_back(stats::p_greater(*tried.judged()));
  }
  const auto verdicts = stats::holm(p_values, 1 - options.level);
  std::size_t next = 0;
  std::vector<Finding> findings;
  for (Tried& tried : all) {
    if (tried.judged()) tried.verdict = verdicts[next++];
    findings.push_back(finding_of(tried, view, options));
  }
  for (const TableFacts& table : tables) {
    for (Finding& bottleneck : bottlenecks_of(table)) findings.push_back(std::move(bottleneck));
  }
  return findings;
}

void attribute(std::vector<Finding>& findings, const RunView& view) {
  const bool looked =
      std::any_of(view.run->visits.begin(), view.run->visits.end(), [](const auto& visit) {
        return visit.purpose == schema::Purpose::intervention ||
               visit.purpose == schema::Purpose::diagnostic;
      });
  for (Finding& finding : findings) {
    if (!is_slow(finding)) continue;
    const auto cause = std::find_if(findings.begin(), findings.end(), [&](const Finding& other) {
      return other.status == Status::confirmed && other.where == finding.where &&
             explains_excess(other);
    });
    if (cause != findings.end()) {
      finding.cause = cause->cause + " (confirmed, see " + cause->id + ")";
      if (finding.id == findings::kDeparture) finding.fix = "Remove the confirmed cause.";
    }
    if (cause == findings.end() && looked) finding.cause = unexplained_words(finding, findings);
  }
}

std::vector<Intervention> proposed_interventions(const schema::RunFile& run) {
  std::vector<Intervention> proposed;
  if (run.header.origin == schema::Origin::imported) return proposed;
  const RunView view = view_run(run);
  for (const TableFacts& table : all_facts(view)) {
    for (const CauseSuspicion& suspicion : suspicions_of(run, table)) {
      Intervention one;
      one.cause = suspicion.rule->kind.id;
      one.needs_neighbour = suspicion.rule->judged != Judged::by_time;
      for (const auto& size : {std::optional(suspicion.at), suspicion.neighbour}) {
        if (!size) continue;
        const auto ablation =
            ablation_of(*suspicion.rule, table.sizes[size->column].config->config);
        if (ablation) one.ablations.push_back(*ablation);
      }
      if (!one.ablations.empty()) proposed.push_back(std::move(one));
    }
  }
  return proposed;
}

}  // namespace batchscope::causes
