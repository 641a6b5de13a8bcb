// Causes in how the host's memory is got and laid out.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "batchscope/findings/metrics.hpp"
#include "batchscope/findings/wording.hpp"
#include "cause_rules.hpp"
#include "engine_variables.hpp"

namespace batchscope::causes {
namespace {

using findings::milliseconds;
using findings::percent;
using findings::three_digits;
using schema::RunConfig;

constexpr double kMebibyte = 1024.0 * 1024.0;

// Below these, page faults cannot cost what an analysis could tell from noise.
constexpr double kFewestFaults = 1000;
constexpr double kSmallestSystemShare = 0.01;

// Memory that is given back is zeroed and mapped page by page when it is taken again: both are
// charged as system time.
Signal heap_returned(const TableFacts& table, std::size_t at) {
  const auto& usage = table.sizes[at].usage;
  if (!usage) return {};
  Signal signal;
  signal.words =
      fmt::format("{} page faults and {} of system time per iteration",
                  three_digits(usage->minor_faults), milliseconds(usage->system_ns / 1e6));
  signal.evidence = {evidence_of(findings::metric::kMinorFaults, usage->minor_faults),
                     evidence_of(findings::metric::kSystemTimeShare, usage->system_share())};
  const double share = usage->system_share();
  if (usage->minor_faults >= kFewestFaults && share >= kSmallestSystemShare) {
    signal.strength = share;
  }
  return signal;
}

// Never map a block on its own, never trim, and grow the heap in large steps.
std::optional<RunConfig> with_kept_heap(const RunConfig& config) {
  return under(config, {{"GLIBC_TUNABLES",
                         "glibc.malloc.mmap_max=0:glibc.malloc.trim_threshold=4294967296:"
                         "glibc.malloc.top_pad=268435456"}});
}

// What a translation miss costs where the tables are in a cache: the order of magnitude decides
// only whether an experiment is worth its time.
constexpr double kMissNs = 8;
constexpr double kEnoughToMatter = 64 * kMebibyte;
constexpr double kHardlyAny = 0.1;
constexpr double kWorthAnExperiment = 0.02;

// Without a counter for the misses all that is known is that there could be some.
Signal no_huge_pages(const TableFacts& table, std::size_t at) {
  const schema::Diagnosis* seen = table.sizes[at].diagnosis();
  if (seen == nullptr || !seen->anonymous_bytes || !seen->huge_page_bytes) return {};
  const auto bytes = static_cast<double>(*seen->anonymous_bytes);
  const double huge = bytes > 0 ? static_cast<double>(*seen->huge_page_bytes) / bytes : 0;
  Signal signal;
  signal.words =
      fmt::format("{:.0f} MiB of memory, {} of it in huge pages", bytes / kMebibyte, percent(huge));
  signal.evidence = {evidence_of(findings::metric::kAnonymousMemory, bytes),
                     evidence_of(findings::metric::kHugePageShare, huge)};
  if (bytes < kEnoughToMatter || huge > kHardlyAny) return signal;
  signal.strength = kWorthAnExperiment;
  const auto misses = seen->counters.find("dtlb_misses");
  signal.guess = misses == seen->counters.end();
  if (signal.guess) return signal;
  const schema::Visit& visit = *table.sizes[at].diagnostic;
  const double an_iteration = static_cast<double>(misses->second) / iterations_of(visit);
  signal.evidence.push_back(evidence_of(findings::metric::kDtlbMisses, an_iteration));
  const double share = an_iteration * kMissNs / mean_iteration_ns(visit);
  signal.strength = share >= kWorthAnExperiment ? std::min(share, 1.0) : 0;
  return signal;
}

std::optional<RunConfig> with_huge_pages(const RunConfig& config) {
  const auto& variables = variables_of(config.engine).huge_pages;
  return variables.empty() ? std::nullopt : std::optional(under(config, variables));
}

constexpr std::array kMemoryRules = {
    CauseRule{
        "cause.heap-returned",
        "the C library returns freed memory to the kernel and requests it again in every iteration",
        DiagnosisPart::memory, Where::cpu, heap_returned, with_kept_heap,
        "with a malloc that keeps its memory"},
    CauseRule{
        "cause.small-pages",
        "the memory is in small pages, so the processor keeps missing its address cache (TLB)",
        DiagnosisPart::memory, Where::cpu, no_huge_pages, with_huge_pages,
        "with transparent huge pages"}};

}  // namespace

std::span<const CauseRule> memory_rules() {
  return kMemoryRules;
}

}  // namespace batchscope::causes
