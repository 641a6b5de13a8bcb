#include "max_batch_replay.hpp"

#include <algorithm>

namespace batchscope::tune {
namespace {

std::optional<int64_t> smaller(std::optional<int64_t> a, int64_t b) {
  return a ? std::min(*a, b) : b;
}

std::optional<ProbePurpose> purpose_of(const std::string& word) {
  for (const auto each : {ProbePurpose::search, ProbePurpose::confirm, ProbePurpose::soak}) {
    if (to_string(each) == word) return each;
  }
  return std::nullopt;
}

std::optional<ProbeOutcome> outcome_of(const std::string& word) {
  if (word == kBelievedOutOfMemory) return ProbeOutcome::out_of_memory;
  for (const auto each : {ProbeOutcome::fits, ProbeOutcome::out_of_memory, ProbeOutcome::failed}) {
    if (to_string(each) == word) return each;
  }
  return std::nullopt;
}

MaxBatchOptions options_of(const schema::RunFile& run, int config, const MaxBatchPlan& plan) {
  MaxBatchOptions options;
  if (plan.limit_bytes > 0) options.limit_bytes = plan.limit_bytes;
  options.margin = plan.margin;
  options.at_most = plan.at_most;
  for (const schema::Probe& probe : run.probes) {
    if (probe.config != config || probe.purpose != kCeilingPurpose) continue;
    const bool of_all = probe.limit_bytes >= plan.limit_bytes;
    auto& ceiling = of_all ? options.ceiling : options.soak_ceiling;
    ceiling = smaller(ceiling, probe.batch_size);
  }
  return options;
}

}  // namespace

std::optional<ToldProbe> told(const schema::Probe& probe) {
  const auto purpose = purpose_of(probe.purpose);
  const auto outcome = outcome_of(probe.outcome);
  if (!purpose || !outcome) return std::nullopt;
  return ToldProbe{*purpose, {*outcome, probe.peak_bytes}};
}

MaxBatch search_of(const schema::RunFile& run, int config, const MaxBatchPlan& plan) {
  MaxBatch search(options_of(run, config, plan));
  for (const schema::Probe& probe : run.probes) {
    if (probe.config != config) continue;
    if (const auto each = told(probe)) search.tell(probe.batch_size, each->purpose, each->result);
  }
  return search;
}

}  // namespace batchscope::tune
