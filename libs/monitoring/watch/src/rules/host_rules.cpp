#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <vector>

#include "batchscope/base/units.hpp"
#include "batchscope/findings/wording.hpp"
#include "rules.hpp"

namespace batchscope::watch {
namespace {

using findings::evidence_of;
using findings::Metric;
using findings::percent;
using findings::Severity;

constexpr Metric kCpuPressure{"cpu_pressure",
                              "Share of the window in which a ready thread had no CPU."};
constexpr Metric kQuotaThrottled{"quota_throttled",
                                 "Share of the quota's periods in which it throttled the work."};
constexpr Metric kStolen{"cpu_steal", "CPU time that the hypervisor gave to other guests."};
constexpr Metric kMemoryInUse{
    "host_memory", "Highest memory use of the machine (or cgroup), as a share of its memory."};
constexpr Metric kMemoryPressure{"memory_pressure",
                                 "Share of the window in which a thread waited for memory."};
constexpr Metric kSwapGrowth{"swap_growth", "Growth of the used swap space in the window.",
                             "bytes"};

constexpr double kQuotaOften = 0.30, kMuchSteal = 0.15, kMostSteal = 0.30;
constexpr double kMebibyte = 1024.0 * 1024, kSwaps = 256 * kMebibyte, kEverythingWaits = 0.10;

constexpr Kind kCpuSaturated{
    Row("monitor.cpu-saturated", "All CPUs are busy",
        Prose("The CPUs are at least {%} busy.", &Targets::cpu_saturated),
        "Use fewer workers and threads, or move other programs to another machine.",
        "medium if a GPU waits meanwhile, or the watched process gets little CPU time; low if GPUs "
        "are busy; else info",
        metrics(&metric::kCpuBusy, &kCpuPressure)),
    180, Role::none, ids(),
    ids("monitor.host-bound", "monitor.low-use", "monitor.synchronisation")};

constexpr Kind kCpuQuota{
    Row("monitor.cpu-quota", "The CPU quota throttles the work",
        Prose("The container used up its CPU quota in at least {%} of the periods.",
              &Targets::quota_throttled),
        "Raise the quota, or use fewer workers and threads.",
        Prose("low; medium from {%} or if a GPU waits, high for both", kQuotaOften),
        metrics(&kQuotaThrottled)),
    100, Role::none, ids(),
    ids("monitor.loading", "monitor.host-bound", "monitor.low-use", "monitor.synchronisation")};

constexpr Kind kSteal{
    Row("monitor.steal", "The hypervisor takes CPU time",
        Prose("The hypervisor gave at least {%} of the CPU time to other guests.",
              &Targets::cpu_steal),
        "Use dedicated CPUs, or another host.",
        Prose("low; medium from {%}, high from {%}", kMuchSteal, kMostSteal), metrics(&kStolen)),
    110, Role::none, ids(), kCpuQuota.explains_elsewhere};

constexpr Kind kHostMemory{
    Row("monitor.host-memory", "The machine runs out of memory",
        Prose("Threads wait for memory at least {%} of the time, or memory use reaches {%}, or "
              "over {} MiB went to swap in the window. If the container has a memory limit, it "
              "counts instead.",
              &Targets::memory_pressure, &Targets::host_memory, kSwaps / kMebibyte),
        "Use fewer workers or less prefetching, or raise the limit.",
        Prose("medium; high if all threads wait {%} of the time", kEverythingWaits),
        metrics(&kMemoryInUse, &kMemoryPressure, &kSwapGrowth)),
    90, Role::none, ids(),
    ids("monitor.loading", "monitor.disk", "monitor.host-bound", "monitor.low-use",
        "monitor.synchronisation")};

bool has_gpu_at_work(const RuleContext& facts) {
  return std::any_of(facts.window.gpus().begin(), facts.window.gpus().end(),
                     [](const GpuState& gpu) { return is_judged(gpu) && is_used(gpu); });
}

// A GPU that is used waits, as far as busy tells.
bool has_gpu_that_waits(const RuleContext& facts) {
  return std::any_of(facts.window.gpus().begin(), facts.window.gpus().end(),
                     [&](const GpuState& gpu) {
                       const Cell busy = gpu.recent.over(GpuValue::busy);
                       return is_judged(gpu) && is_used(gpu) && busy.known() &&
                              busy.mean() < facts.targets.gpu_busy.low;
                     });
}

// Of the CPUs' work, what the processes do that are watched.
double own_share(const RuleContext& facts) {
  const Cell cores = facts.window.job().recent.over(JobValue::cores);
  const Cell busy = facts.window.host().over(HostValue::cpu_busy);
  const double cpus = facts.window.cpus();
  if (!cores.known() || busy.mean() * cpus <= 0) return 0;
  return std::min(1.0, cores.mean() / (busy.mean() * cpus));
}

// CPUs that compute a training themselves are well used.
Severity severity_of_saturation(const RuleContext& facts) {
  constexpr double kOwn = 0.7;
  const bool own = own_share(facts) >= kOwn;
  if (has_gpu_that_waits(facts)) return Severity::medium;
  if (has_gpu_at_work(facts)) return Severity::low;
  return own || !facts.window.is_watching() ? Severity::info : Severity::medium;
}

void saturation_rule(const RuleContext& facts, RuleHits& into) {
  const Recent<HostBucket>& host = facts.window.host();
  const double limit = facts.is_active(kCpuSaturated, kMachine) ? facts.targets.cpu_saturated - 0.05
                                                                : facts.targets.cpu_saturated;
  const auto high = host.share(HostValue::cpu_busy, [&](double busy) { return busy >= limit; });
  if (!facts.mostly(high, kCpuSaturated, kMachine)) return;
  const double own = own_share(facts);
  RuleHit& candidate = into.emplace_back(on_machine(kCpuSaturated, facts));
  candidate.finding.severity = severity_of_saturation(facts);
  candidate.finding.fix =
      facts.window.is_watching() && own < 0.5
          ? "find the other programs on this machine (top), and move them or give them fewer CPUs"
          : "use fewer workers and threads (one per CPU), or do less work per sample";
  const auto reported = [bare = candidate.finding, watches = facts.window.is_watching(),
                         pressure =
                             host.over(HostValue::cpu_pressure)](std::span<const double> shares) {
    findings::Finding finding = bare;
    finding.what = fmt::format(
        "The CPUs are {} busy{}", percent(shares[0]),
        watches ? fmt::format("; the watched process uses {}", percent(shares[1])) : "");
    finding.evidence = {evidence_of(metric::kCpuBusy, shares[0])};
    if (pressure.known()) {
      finding.evidence.push_back(evidence_of(kCpuPressure, pressure.mean()));
    }
    return finding;
  };
  candidate.tell_with_levels({host.over(HostValue::cpu_busy).mean(), own}, reported);
  candidate.finding.evidence.front().estimate.ci = estimate(host, HostValue::cpu_busy).ci;
}

// By the mean of the window, with its interval as long as it is of the window.
template <class Reported>
void tell_of_host(HostValue value, const Reported& reported, const Recent<HostBucket>& host,
                  RuleHit& candidate) {
  const findings::Estimate now = estimate(host, value);
  candidate.tell_with_levels({host.over(value).mean()}, reported);
  candidate.finding.evidence.front().estimate.ci = now.ci;
}

void quota_rule(const RuleContext& facts, RuleHits& into) {
  const double limit = facts.over(facts.targets.quota_throttled, kCpuQuota, kMachine);
  const Recent<HostBucket>& host = facts.window.host();
  const auto high =
      host.share(HostValue::quota_throttled, [&](double share) { return share >= limit; });
  if (!facts.mostly(high, kCpuQuota, kMachine)) return;
  RuleHit& candidate = into.emplace_back(on_machine(kCpuQuota, facts));
  candidate.finding.fix =
      "raise the quota (the container's CPU limit), or use no more workers and threads than it "
      "allows CPUs";
  const auto reported = [bare = candidate.finding,
                         waits = has_gpu_that_waits(facts)](std::span<const double> shares) {
    findings::Finding finding = bare;
    const bool often = shares[0] >= kQuotaOften;
    finding.severity = often && waits   ? Severity::high
                       : often || waits ? Severity::medium
                                        : Severity::low;
    finding.what = fmt::format("The container's CPU quota throttles the work in {} of the periods",
                               percent(shares[0]));
    finding.evidence = {evidence_of(kQuotaThrottled, shares[0])};
    return finding;
  };
  tell_of_host(HostValue::quota_throttled, reported, host, candidate);
}

void steal_rule(const RuleContext& facts, RuleHits& into) {
  const double limit = facts.over(facts.targets.cpu_steal, kSteal, kMachine);
  const Recent<HostBucket>& host = facts.window.host();
  const auto high = host.share(HostValue::steal, [&](double share) { return share >= limit; });
  if (!facts.mostly(high, kSteal, kMachine)) return;
  RuleHit& candidate = into.emplace_back(on_machine(kSteal, facts));
  candidate.finding.fix = "use an instance with dedicated CPUs (not burstable), or another host";
  const auto reported = [bare = candidate.finding](std::span<const double> shares) {
    findings::Finding finding = bare;
    finding.severity = shares[0] >= kMostSteal   ? Severity::high
                       : shares[0] >= kMuchSteal ? Severity::medium
                                                 : Severity::low;
    finding.what = fmt::format("The hypervisor gives {} of this machine's CPU time to other guests",
                               percent(shares[0]));
    finding.evidence = {evidence_of(kStolen, shares[0])};
    return finding;
  };
  tell_of_host(HostValue::steal, reported, host, candidate);
}

struct HostMemory {
  double share = 0;
  double pressure = 0, full_pressure = 0;
  double swapped = 0;  // bytes, in the window
};

HostMemory memory_of(const Recent<HostBucket>& host) {
  HostMemory seen;
  const Cell share = host.over(HostValue::memory_share);
  seen.share = share.known() ? share.high : 0;
  seen.pressure = host.over(HostValue::memory_pressure).mean();
  seen.full_pressure = host.over(HostValue::memory_full_pressure).mean();
  const std::vector<double> swap = host.means(HostValue::swap_bytes);
  if (swap.size() >= 2) seen.swapped = std::max(0.0, swap.back() - swap.front());
  return seen;
}

void memory_rule(const RuleContext& facts, RuleHits& into) {
  constexpr double kStill = 0.90;
  const Recent<HostBucket>& host = facts.window.host();
  const HostMemory seen = memory_of(host);
  const double pressure_limit = facts.over(facts.targets.memory_pressure, kHostMemory, kMachine);
  const auto pressed =
      host.share(HostValue::memory_pressure, [&](double share) { return share >= pressure_limit; });
  const double slack = facts.is_active(kHostMemory, kMachine) ? 0.01 : 0;
  const auto full = host.share(HostValue::memory_share, [&](double share) {
    return share >= facts.targets.host_memory - slack;
  });
  const bool swaps = seen.swapped >= kSwaps && seen.share >= kStill;
  const bool waits = facts.mostly(pressed, kHostMemory, kMachine);
  if (!waits && !swaps && !facts.mostly(full, kHostMemory, kMachine)) return;
  RuleHit& candidate = into.emplace_back(on_machine(kHostMemory, facts));
  candidate.finding.severity =
      seen.full_pressure >= kEverythingWaits ? Severity::high : Severity::medium;
  candidate.finding.what = fmt::format(
      "The machine runs out of memory: {} in use{}{}", percent(seen.share),
      waits ? fmt::format(", and threads wait for memory {} of the time", percent(seen.pressure))
            : "",
      swaps
          ? fmt::format(", {} went to swap", base::format_bytes(static_cast<int64_t>(seen.swapped)))
          : "");
  candidate.finding.fix =
      "use fewer loader workers, less prefetching or smaller caches, or raise the container's "
      "memory limit; otherwise the kernel will kill a process";
  candidate.finding.evidence.push_back(evidence_of(kMemoryInUse, seen.share));
  if (pressed) {
    candidate.finding.evidence.push_back(evidence_of(kMemoryPressure, seen.pressure));
  }
  if (swaps) candidate.finding.evidence.push_back(evidence_of(kSwapGrowth, seen.swapped));
}

void look_at_the_host(const RuleContext& facts, RuleHits& into) {
  if (!facts.window.host().full()) return;
  saturation_rule(facts, into);
  quota_rule(facts, into);
  steal_rule(facts, into);
  memory_rule(facts, into);
}

}  // namespace

Rules host_rules() {
  return {look_at_the_host, {&kCpuSaturated, &kCpuQuota, &kSteal, &kHostMemory}};
}

}  // namespace batchscope::watch
