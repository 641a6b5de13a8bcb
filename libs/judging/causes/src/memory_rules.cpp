// Causes in how the host's memory is got and laid out.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "batchscope/findings/floors.hpp"
#include "batchscope/findings/wording.hpp"
#include "cause_rules.hpp"
#include "engine_variables.hpp"

namespace batchscope::causes {
namespace {

using findings::kRatioUnit;
using findings::Metric;
using findings::milliseconds;
using findings::percent;
using findings::three_digits;
using schema::RunConfig;

constexpr Metric kMinorFaults{"minor_faults", "Page faults that need no disk access.",
                              "an iteration", "page faults"};
constexpr Metric kSystemTimeShare{"system_time_share",
                                  "Share of the processor time spent in the kernel.",
                                  findings::kRatioUnit, "time in the kernel"};
constexpr Metric kAnonymousMemory{
    "anonymous_memory", "Anonymous memory of the process: memory that no file backs.", "bytes"};
constexpr Metric kHugePageShare{"huge_page_share",
                                "Share of the anonymous memory in transparent huge pages."};
constexpr Metric kDtlbMisses{
    "dtlb_misses", "Misses of the processor's cache of data addresses (dTLB), from its counters.",
    "an iteration"};

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
  signal.evidence = {evidence_of(kMinorFaults, usage->minor_faults),
                     evidence_of(kSystemTimeShare, usage->system_share())};
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
  signal.evidence = {evidence_of(kAnonymousMemory, bytes), evidence_of(kHugePageShare, huge)};
  if (bytes < kEnoughToMatter || huge > kHardlyAny) return signal;
  signal.strength = kWorthAnExperiment;
  const auto misses = seen->counters.find("dtlb_misses");
  signal.guess = misses == seen->counters.end();
  if (signal.guess) return signal;
  const schema::Visit& visit = *table.sizes[at].diagnostic;
  const double an_iteration = static_cast<double>(misses->second) / iterations_of(visit);
  signal.evidence.push_back(evidence_of(kDtlbMisses, an_iteration));
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
        Row("cause.heap-returned", "malloc returns memory to the kernel in every iteration",
            Prose(
                "glibc's malloc returns the memory of an iteration to the kernel, which zeroes "
                "and maps it again, page by page, in the next iteration. The signal: at least {} "
                "minor page faults per iteration, and at least {%} of the time in the kernel. "
                "batchscope measures the same batch size, and a neighbour with less of the signal, "
                "again in turn, with and without a malloc that keeps its memory. Confirmed when "
                "this saves time (at the error rate of all interventions of the run, and at "
                "least {%}), refuted when it cannot save more than 3 %.",
                kFewestFaults, kSmallestSystemShare, findings::kPractical),
            "Set the variable in the finding for the process that serves or trains, or preload "
            "another malloc (jemalloc, tcmalloc). This keeps more memory resident.",
            kCauseSeverity,
            metrics(&kMinorFaults, &kSystemTimeShare, &kMinorFaultsWithout,
                    &findings::metric::kTimeSaved)),
        "malloc returns memory to the kernel and page-faults it in again every iteration",
        DiagnosisPart::memory, Where::cpu, heap_returned, with_kept_heap,
        "with a malloc that keeps its memory"},
    CauseRule{
        Row("cause.small-pages", "The memory uses small pages",
            Prose("The process has at least {} MiB of anonymous memory, with less than 10 % "
                  "in huge pages. Where the processor counts TLB misses, these cost at least "
                  "{%} of the time (an estimate of {} ns each decides whether to run the "
                  "experiment). batchscope measures the size again with THP_MEM_ALLOC_ENABLE=1: "
                  "torch then asks for huge pages for large tensors.",
                  kEnoughToMatter / kMebibyte, kWorthAnExperiment, kMissNs),
            "Set the variable in the finding where "
            "/sys/kernel/mm/transparent_hugepage/enabled is madvise or always.",
            kCauseSeverity,
            metrics(&kAnonymousMemory, &kHugePageShare, &kDtlbMisses,
                    &findings::metric::kTimeSaved)),
        "the memory uses small pages, so the processor often misses its TLB", DiagnosisPart::memory,
        Where::cpu, no_huge_pages, with_huge_pages, "with transparent huge pages"}};

}  // namespace

std::span<const CauseRule> memory_rules() {
  return kMemoryRules;
}

}  // namespace batchscope::causes
