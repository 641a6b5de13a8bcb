#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "batchscope/base/units.hpp"
#include "rules.hpp"

namespace batchscope::watch {
namespace {

using findings::evidence_of;
using findings::Metric;
using findings::Severity;

constexpr Metric kGrowthAnHour{"growth_an_hour",
                               "Memory by which it rises an hour (Theil and Sen).", "bytes"};
constexpr Metric kTimeUntilFull{"time_until_full", "Time until memory is full at this rate.", "s"};

constexpr Kind kLeak{
    Row("monitor.leak", "Memory rises and goes on to",
        "The lowest readings of half minutes, 4 minutes, half hours or 4 hours rise: by Mann and "
        "Kendall's test, corrected for autocorrelation (p < 0.0001), not as a random walk does, as "
        "fast in their later half and in many small steps, by at least 64 MiB; over 20 minutes or "
        "more; of a GPU that works, over 4 minutes where it would be full in as long again. A "
        "warm-up or an allocator that takes a few blocks is none of that. The rate is Theil and "
        "Sen's slope.",
        "Look for what is kept from step to step.",
        "high where memory is full within an hour, medium within a day, and within ten times the "
        "time that it was seen to rise; else low",
        metrics(&kGrowthAnHour, &kTimeUntilFull)),
    190, Role::none, ids("monitor.headroom", "monitor.gpu-memory")};

constexpr double kMinute = 60, kHour = 3600;

// What was seen for a short time says nothing of a far one.
Severity severity_of_leak(std::optional<double> until_full_seconds, double over_seconds) {
  constexpr double kFurthest = 10;
  if (!until_full_seconds || *until_full_seconds > kFurthest * over_seconds) return Severity::low;
  if (*until_full_seconds < kHour) return Severity::high;
  return *until_full_seconds < 24 * kHour ? Severity::medium : Severity::low;
}

// A rise of minutes may have an end: it is told where it will have filled up before it has been
// seen for twice as long. `free`: bytes that are left; absent: not known.
std::optional<Rise> reported_rise(const MemoryHistory& memory, std::optional<double> free) {
  if (memory.rise()) return memory.rise();
  const auto fast = memory.of_minutes();
  if (!fast || !free) return std::nullopt;
  const double seen_seconds = std::min(fast->over_seconds, 5 * kMinute);
  return *free > fast->bytes_a_second * seen_seconds ? std::nullopt : fast;
}

std::string when_full(double seconds) {
  return seconds < 1 ? ": full now" : ": full in " + base::format_seconds(seconds);
}

std::string speed_of(const Rise& rise) {
  const bool fast = rise.over_seconds < kHour / 4;
  const double bytes = rise.bytes_a_second * (fast ? kMinute : kHour);
  return base::format_bytes(static_cast<int64_t>(bytes)) + (fast ? " a minute" : " an hour");
}

void fill(const Rise& rise, std::optional<double> free, const std::string& whose,
          findings::Finding& finding) {
  const double an_hour = rise.bytes_a_second * kHour;
  std::optional<double> until_full;
  if (free) until_full = std::max(0.0, *free) / rise.bytes_a_second;
  finding.severity = severity_of_leak(until_full, rise.over_seconds);
  finding.status = findings::Status::suspected;
  finding.p_value = rise.p;
  finding.what = fmt::format("{} rises by {}, for {} now{}", whose, speed_of(rise),
                             base::format_seconds(rise.over_seconds),
                             until_full ? when_full(*until_full) : "");
  finding.evidence.push_back(evidence_of(
      kGrowthAnHour,
      {an_hour, stats::Interval{rise.interval.low * kHour, rise.interval.high * kHour}}));
  if (until_full) finding.evidence.push_back(evidence_of(kTimeUntilFull, *until_full));
}

// Weights are loaded, and caches filled, before it is.
bool is_at_work(const GpuState& gpu, const RuleContext& facts) {
  constexpr double kWorks = 0.5;
  return facts.window.is_training() || gpu.recent.over(GpuValue::busy).mean() >= kWorks;
}

void gpu_rule(const GpuState& gpu, const RuleContext& facts, RuleHits& into) {
  if (!gpu.up) return;
  std::optional<double> free;
  if (gpu.memory_total > 0) free = gpu.memory_total - gpu.memory.last_bytes();
  const auto rise = is_at_work(gpu, facts) ? reported_rise(gpu.memory, free) : gpu.memory.rise();
  if (!rise) return;
  RuleHit& candidate = into.emplace_back(on_gpu(kLeak, gpu, facts));
  fill(*rise, free, "Memory of " + name_of(gpu), candidate.finding);
  candidate.finding.fix =
      "look for tensors that are kept from step to step: losses summed with their graph "
      "(loss.item() or detach()), lists of outputs, caches; torch.cuda.memory_snapshot() shows "
      "where they were made";
}

std::optional<double> free_of_host(const RuleContext& facts) {
  const Cell share = facts.window.host().over(HostValue::memory_share);
  const Cell used = facts.window.host().over(HostValue::memory_bytes);
  if (!share.known() || share.mean() <= 0) return std::nullopt;
  return used.mean() / share.mean() - facts.window.host_memory().last_bytes();
}

void host_rule(const RuleContext& facts, RuleHits& into) {
  const auto& rise = facts.window.host_memory().rise();
  if (!rise) return;
  RuleHit& candidate = into.emplace_back(on_machine(kLeak, facts));
  fill(*rise, free_of_host(facts), "Memory of the machine", candidate.finding);
  candidate.finding.fix = "find the process that grows, by its resident memory";
}

void process_rule(const ProcessState& process, const RuleContext& facts, RuleHits& into) {
  const auto& rise = process.memory.rise();
  if (!rise) return;
  RuleHit& candidate = into.emplace_back(on_process(kLeak, process, facts));
  fill(*rise, free_of_host(facts),
       fmt::format("Memory of process {} ({})", process.pid, process.name), candidate.finding);
  candidate.finding.fix =
      "look for lists that grow, caches without a limit, and Python objects in workers of the "
      "loader (use arrays: reading counts references, which copies pages)";
}

void look_for_leaks(const RuleContext& facts, RuleHits& into) {
  for (const GpuState& gpu : facts.window.gpus()) gpu_rule(gpu, facts, into);
  for (const ProcessState& process : facts.window.processes()) process_rule(process, facts, into);
  host_rule(facts, into);
}

}  // namespace

Rules leak_rules() {
  return {look_for_leaks, {&kLeak}};
}

}  // namespace batchscope::watch
