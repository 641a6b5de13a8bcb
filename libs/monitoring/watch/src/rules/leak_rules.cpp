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

constexpr Metric kGrowthAnHour{"growth_an_hour", "Growth per hour (Theil-Sen slope).", "bytes"};
constexpr Metric kTimeUntilFull{"time_until_full", "Time until memory is full at this rate.", "s"};

constexpr Kind kLeak{
    Row("monitor.leak", "Memory keeps growing",
        "Memory use rises by at least 64 MiB over 20 minutes or more. On a busy GPU, 4 minutes are "
        "enough if it would be full in 4 more. The test uses the minima of half minutes, 4 "
        "minutes, half hours or 4 hours: Mann-Kendall, corrected for autocorrelation (p < 0.0001). "
        "The rise is no random walk, comes in many small steps, and is as fast in its later half. "
        "A warm-up, or an allocator that takes a few blocks, does not count. The rate is the "
        "Theil-Sen slope.",
        "Find the objects that the program keeps from step to step.",
        "high if memory is full within an hour; medium if within a day and within ten times the "
        "observed period; else low",
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
  return seconds < 1 ? "; memory is full now" : "; full in " + base::format_seconds(seconds);
}

std::string speed_of(const Rise& rise) {
  const bool fast = rise.over_seconds < kHour / 4;
  const double bytes = rise.bytes_a_second * (fast ? kMinute : kHour);
  return base::format_bytes(static_cast<int64_t>(bytes)) + (fast ? " per minute" : " per hour");
}

void fill(const Rise& rise, std::optional<double> free, const std::string& whose,
          findings::Finding& finding) {
  const double an_hour = rise.bytes_a_second * kHour;
  std::optional<double> until_full;
  if (free) until_full = std::max(0.0, *free) / rise.bytes_a_second;
  finding.severity = severity_of_leak(until_full, rise.over_seconds);
  finding.status = findings::Status::suspected;
  finding.p_value = rise.p;
  finding.what = fmt::format("{} has grown by {} for {}{}", whose, speed_of(rise),
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
      "find tensors that the program keeps from step to step: losses summed with their graph (use "
      "loss.item() or detach()), lists of outputs, caches; torch.cuda.memory_snapshot() shows "
      "where they come from";
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
  candidate.finding.fix = "find the process whose resident memory grows (top, sorted by RES)";
}

void process_rule(const ProcessState& process, const RuleContext& facts, RuleHits& into) {
  const auto& rise = process.memory.rise();
  if (!rise) return;
  RuleHit& candidate = into.emplace_back(on_process(kLeak, process, facts));
  fill(*rise, free_of_host(facts),
       fmt::format("Memory of process {} ({})", process.pid, process.name), candidate.finding);
  candidate.finding.fix =
      "find growing lists, caches without a limit, and Python objects in loader workers (store "
      "them as arrays: reading an object changes its reference count, which copies its page)";
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
