#include "max_batch_replay.hpp"

#include <algorithm>

#include "batchscope/base/memory_words.hpp"

namespace batchscope::capacity {
namespace {

std::optional<int64_t> smaller(std::optional<int64_t> a, int64_t b) {
  return a ? std::min(*a, b) : b;
}

bool is_asked_for(ProbePurpose purpose) {
  return purpose == ProbePurpose::search || purpose == ProbePurpose::confirm ||
         purpose == ProbePurpose::soak;
}

std::optional<ProbeOutcome> result_of(ProbeOutcome outcome) {
  switch (outcome) {
    case ProbeOutcome::fits:
    case ProbeOutcome::out_of_memory:
    case ProbeOutcome::failed:
      return outcome;
    case ProbeOutcome::believed_out_of_memory:
      return ProbeOutcome::out_of_memory;
    case ProbeOutcome::interrupted:
    case ProbeOutcome::other:
      break;
  }
  return std::nullopt;
}

MaxBatchOptions options_of(const schema::RunFile& run, int config,
                           const schema::MaxBatchSettings& plan) {
  MaxBatchOptions options;
  if (plan.limit_bytes > 0) options.limit_bytes = plan.limit_bytes;
  options.margin = plan.margin;
  options.at_most = plan.max_batch_size;
  for (const schema::Probe& probe : run.probes) {
    if (probe.config != config || probe.purpose != ProbePurpose::ceiling) continue;
    const bool of_all = probe.limit_bytes >= plan.limit_bytes;
    auto& ceiling = of_all ? options.ceiling : options.soak_ceiling;
    ceiling = smaller(ceiling, probe.batch_size);
  }
  return options;
}

}  // namespace

std::optional<ReportedProbe> reported(const schema::Probe& probe) {
  const ProbePurpose purpose = probe.purpose.value();
  const auto outcome = result_of(probe.outcome.value());
  if (!is_asked_for(purpose) || !outcome) return std::nullopt;
  const bool perhaps = *outcome == ProbeOutcome::failed && base::is_perhaps_memory(probe.message);
  return ReportedProbe{purpose, {*outcome, probe.peak_bytes, perhaps}};
}

MaxBatch search_of(const schema::RunFile& run, int config, const schema::MaxBatchSettings& plan) {
  MaxBatch search(options_of(run, config, plan));
  for (const schema::Probe& probe : run.probes) {
    if (probe.config != config) continue;
    if (const auto each = reported(probe))
      search.tell(probe.batch_size, each->purpose, each->result);
  }
  return search;
}

}  // namespace batchscope::capacity
