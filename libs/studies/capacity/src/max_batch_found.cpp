#include <fmt/format.h>

#include <map>

#include "batchscope/base/units.hpp"
#include "max_batch_replay.hpp"

namespace batchscope::capacity {
namespace {

using base::Error;
using base::ErrorKind;

constexpr schema::Origin kOrigin = schema::Origin::max_batch;

// The latest line that bounds the search: the try that did not fit, or the ceiling.
std::optional<schema::Probe> bounding(const std::vector<schema::Probe>& probes, int config,
                                      int64_t above) {
  std::optional<schema::Probe> found;
  for (const schema::Probe& probe : probes) {
    if (probe.config != config || probe.batch_size != above) continue;
    const bool was_tried =
        probe.purpose == ProbePurpose::search || probe.purpose == ProbePurpose::confirm;
    const bool bounds = was_tried && !probe.outcome.empty() && probe.outcome != ProbeOutcome::fits;
    if (bounds || (probe.purpose == ProbePurpose::ceiling && !found)) found = probe;
  }
  return found;
}

std::vector<LivedSometimes> lived_sometimes(const FoundBatch& found) {
  std::map<int64_t, LivedSometimes> by_size;
  for (const schema::Probe& probe : found.probes) {
    const bool searched =
        probe.purpose == ProbePurpose::search || probe.purpose == ProbePurpose::confirm;
    if (!searched || probe.batch_size <= found.largest) continue;
    LivedSometimes& size = by_size[probe.batch_size];
    size.batch_size = probe.batch_size;
    ++size.tries;
    if (probe.outcome == ProbeOutcome::fits) ++size.lived;
  }
  std::vector<LivedSometimes> all;
  for (const auto& [batch_size, size] : by_size) {
    if (size.lived > 0) all.push_back(size);
  }
  return all;
}

FoundBatch found_batch(const schema::RunFile& run, int config,
                       const schema::MaxBatchSettings& plan) {
  const MaxBatch search = search_of(run, config, plan);
  FoundBatch found;
  found.config = run.configs[static_cast<std::size_t>(config)];
  found.largest = search.largest();
  found.complete = !search.ask();
  found.bound = search.bound();
  if (const auto above = search.above()) found.above = bounding(run.probes, config, *above);
  found.safe = search.safe();
  found.safe_bytes = search.safe_bytes().value_or(0);
  found.hit_unknown_limit = search.hit_unknown_limit();
  found.memory = fit_memory(search.peaks());
  for (const schema::Probe& probe : run.probes) {
    if (probe.config != config || probe.outcome.empty()) continue;
    if (probe.purpose == ProbePurpose::ceiling || probe.outcome == ProbeOutcome::interrupted)
      continue;
    if (probe.purpose == ProbePurpose::need) found.need = probe;
    if (probe.purpose == ProbePurpose::soak && probe.outcome == ProbeOutcome::fits)
      found.soak = probe;
    found.probes.push_back(probe);
  }
  found.lived_sometimes = lived_sometimes(found);
  return found;
}

}  // namespace

std::string peak_words(const schema::Probe& probe) {
  std::string of = probe.peak_of;
  if (probe.reserved_bytes) {
    of += fmt::format("; {} reserved", base::format_bytes(*probe.reserved_bytes));
  }
  return fmt::format("{} ({})", base::format_bytes(probe.peak_bytes.value_or(0)), of);
}

std::vector<FoundBatch> found_batches(const schema::RunFile& run,
                                      const schema::MaxBatchSettings& plan) {
  std::vector<FoundBatch> all;
  for (int config = 0; config < static_cast<int>(run.configs.size()); ++config) {
    all.push_back(found_batch(run, config, plan));
  }
  return all;
}

void write_max_batch_plan(const schema::MaxBatchSettings& plan, schema::Header& header) {
  header.origin = kOrigin;
  header.max_batch = plan;
}

base::Result<schema::MaxBatchSettings> read_max_batch_plan(const schema::Header& header) {
  if (header.origin != kOrigin || !header.max_batch) {
    return Error{ErrorKind::input, "this run file was not written by `tune --max-batch-only`",
                 "--resume", "name one that was, or another output"};
  }
  return *header.max_batch;
}

}  // namespace batchscope::capacity
