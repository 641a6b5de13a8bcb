#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "batchscope/base/capped_sum.hpp"
#include "batchscope/base/counted.hpp"
#include "batchscope/findings/wording.hpp"
#include "memory_calls.hpp"
#include "rules.hpp"

namespace batchscope::advice {
namespace {

using attribution::DeviceMemory;
using findings::evidence_of;
using findings::Finding;
using findings::Metric;
using findings::percent;
using findings::Severity;

constexpr Metric kMemoryAStep{"memory_growth",
                              "Growth per step of the memory at the end of a step.", "MB"};
constexpr Metric kPeakMemory{"peak_memory",
                             "Peak of allocated memory, as a share of the device's memory."};
constexpr Metric kActivationShare{"activation_share",
                                  "Memory that a step adds and frees, as a share of the peak."};
constexpr Metric kReservedOverAllocated{
    "reserved_over_allocated", "Peak of reserved memory divided by the peak of allocated memory.",
    "factor"};
constexpr Metric kAllocationShare{"allocation_share",
                                  "Idle time of the device during calls that allocate or free "
                                  "device memory, as a share of the time."};

constexpr double kGigabyte = 1e9;

double ratio(int64_t a, int64_t b) {
  return b > 0 ? static_cast<double>(a) / static_cast<double>(b) : 0;
}

std::string gigabytes(int64_t bytes) {
  return findings::three_digits(static_cast<double>(bytes) / kGigabyte) + " GB";
}

std::string device_name(const TraceFacts& facts, int64_t device) {
  return fmt::format("{} {}", facts.words.device, device);
}

// The setting of the allocator that keeps it from holding what it cannot use.
std::string expandable_segments(const TraceFacts& facts) {
  if (facts.words.allocator.empty()) return "free memory in the size in which it was allocated";
  return fmt::format("{}=expandable_segments:True", facts.words.allocator);
}

int64_t capacity(const TraceFacts& facts, const DeviceMemory& memory) {
  const trace::DeviceInfo* const info = facts.trace.device_info(memory.device);
  return info == nullptr ? 0 : info->memory_bytes;
}

struct Growth {
  int64_t steps = 0;
  int64_t rises = 0;
  int64_t bytes = 0;
};

// Without the first step, which may try algorithms that take far more.
int64_t later_peak(const DeviceMemory& memory) {
  int64_t peak = 0;
  for (size_t i = 1; i < memory.rise_in_step.size(); ++i) {
    peak = std::max(peak, base::capped_sum(memory.at_step_end[i - 1], memory.rise_in_step[i]));
  }
  return peak;
}

// From step to step, falling in none, and not in a jump or two that stay, as those of a warm-up
// do: in most steps, the last among them. The first one does not count.
std::optional<Growth> growth_of(const std::vector<int64_t>& ends) {
  if (ends.size() < 5 || ends.back() <= ends[ends.size() - 2]) return std::nullopt;
  Growth growth{static_cast<int64_t>(ends.size()) - 2, 0, ends.back() - ends[1]};
  for (size_t i = 2; i < ends.size(); ++i) {
    if (ends[i] < ends[i - 1]) return std::nullopt;
    growth.rises += ends[i] > ends[i - 1] ? 1 : 0;
  }
  if (4 * growth.rises < 3 * growth.steps) return std::nullopt;
  return growth;
}

constexpr double kLeastGrown = 0.01;  // of the peak
constexpr int64_t kSoonFull = 1000;   // steps

constexpr Kind kMemoryGrowth{
    Row("trace.memory-growth", "Memory grows from step to step",
        Prose("Reserved memory at the end of a step rises in three of four steps (also in the "
              "last) and falls in none. It rises by at least {%} of its peak in total. The first "
              "step does not count.",
              kLeastGrown),
        "Look for kept tensors: losses summed with their graph, lists of outputs, caches.",
        Prose("medium; high if it would fill the device within {} steps", kSoonFull),
        metrics(&kMemoryAStep))};

void growth_rule(const TraceFacts& facts, const DeviceMemory& memory, Findings& into) {
  const std::optional<Growth> growth = growth_of(memory.at_step_end);
  if (!growth || ratio(growth->bytes, memory.peak.allocated_bytes) < kLeastGrown) return;
  const int64_t a_step = growth->bytes / growth->steps;
  Finding& finding =
      into.emplace_back(finding_of(kMemoryGrowth, device_name(facts, memory.device)));
  finding.severity = Severity::medium;
  finding.evidence.push_back(evidence_of(kMemoryAStep, static_cast<double>(a_step) / 1e6));
  finding.what = fmt::format("memory of {} grows by {} MB per step, in {} of {}",
                             device_name(facts, memory.device),
                             findings::three_digits(static_cast<double>(a_step) / 1e6),
                             growth->rises, base::counted(growth->steps, "step"));
  const int64_t left = capacity(facts, memory) - later_peak(memory);
  if (capacity(facts, memory) > 0 && memory.has_totals && a_step > 0 && left / a_step < kSoonFull) {
    finding.severity = Severity::high;
    finding.what += fmt::format("; it is full in about {}",
                                base::counted(std::max<int64_t>(0, left / a_step), "step"));
  }
  finding.fix = "look for tensors kept over steps: summed losses (use .detach()), lists of outputs";
}

constexpr double kNearlyFull = 0.80, kAllButFull = 0.90;

constexpr Kind kCheckpointing{
    Row("trace.checkpointing", "Activations fill the memory",
        Prose("In each step, memory rises and falls by more than half of its peak, and the peak is "
              "above {%} of the device's memory.",
              kNearlyFull),
        "Recompute activations (checkpointing), use 16 bits, or accumulate gradients of smaller "
        "batches.",
        Prose("low; medium above {%} of the device's memory", kAllButFull),
        metrics(&kPeakMemory, &kActivationShare))};

void checkpointing_rule(const TraceFacts& facts, const DeviceMemory& memory, Findings& into) {
  const double full = ratio(memory.peak.allocated_bytes, capacity(facts, memory));
  if (memory.rise_in_step.empty() || !memory.has_totals || full < kNearlyFull) return;
  const int64_t rise = *std::min_element(memory.rise_in_step.begin(), memory.rise_in_step.end());
  const double share = ratio(rise, memory.peak.allocated_bytes);
  if (share < 0.5) return;
  Finding& finding =
      into.emplace_back(finding_of(kCheckpointing, device_name(facts, memory.device)));
  finding.severity = full >= kAllButFull ? Severity::medium : Severity::low;
  finding.evidence = {evidence_of(kPeakMemory, full), evidence_of(kActivationShare, share)};
  finding.what =
      fmt::format("{} is {} full at the peak ({}); every step adds and frees {}: activations",
                  device_name(facts, memory.device), percent(full),
                  gigabytes(memory.peak.allocated_bytes), gigabytes(rise));
  finding.fix =
      "torch.utils.checkpoint.checkpoint(block, x, use_reentrant=False) around the largest blocks, "
      "or bfloat16";
}

constexpr double kLeastIdle = 0.01, kMuchReserved = 1.3;

constexpr Kind kAllocator{
    Row("trace.allocator", "The allocator allocates device memory in the loop",
        Prose("The device is idle for at least {%} of the time during calls that allocate or free "
              "device memory. Or, at the peak, reserved memory is over {} times allocated memory "
              "and 1 GB more.",
              kLeastIdle, kMuchReserved),
        "Warm up before recording; for fragmentation set "
        "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True.",
        kByGain, metrics(&kReservedOverAllocated, &kAllocationShare)),
    "allocate memory once, before the loop"};

void fragmentation_rule(const TraceFacts& facts, const DeviceMemory& memory, Findings& into) {
  const double factor = ratio(memory.peak_reserved_bytes, memory.peak.allocated_bytes);
  const int64_t more = memory.peak_reserved_bytes - memory.peak.allocated_bytes;
  if (factor < kMuchReserved || static_cast<double>(more) < kGigabyte) return;
  Finding& finding = into.emplace_back(finding_of(kAllocator, device_name(facts, memory.device)));
  finding.severity = Severity::low;
  finding.evidence.push_back(evidence_of(kReservedOverAllocated, factor));
  finding.what = fmt::format(
      "the allocator reserves {} of {} but uses at most {}", gigabytes(memory.peak_reserved_bytes),
      device_name(facts, memory.device), gigabytes(memory.peak.allocated_bytes));
  finding.fix = expandable_segments(facts);
}

// How long the device idles between start and end.
int64_t idle_between(const attribution::DeviceTime& device, int64_t start_ns, int64_t end_ns) {
  start_ns = std::max(start_ns, device.start_ns);
  end_ns = std::min(end_ns, device.end_ns);
  int64_t idle = 0;
  auto piece =
      std::upper_bound(device.pieces.begin(), device.pieces.end(), start_ns,
                       [](int64_t at, const attribution::Piece& each) { return at < each.end_ns; });
  for (; piece != device.pieces.end() && piece->start_ns < end_ns; ++piece) {
    if (!is_idle(piece->part)) continue;
    idle += std::min(piece->end_ns, end_ns) - std::max(piece->start_ns, start_ns);
  }
  return idle;
}

struct Allocations {
  int64_t calls = 0;
  int64_t idle_ns = 0;  // of the device, while they run
  // A thread gave memory back and asked for some again: what PyTorch's allocator does that ran out.
  int64_t retries = 0;
};

Allocations allocations_of(const trace::Trace& trace, const attribution::DeviceTime& device) {
  std::vector<bool> gets(trace.names.size());
  std::vector<bool> returns(trace.names.size());
  std::transform(trace.names.begin(), trace.names.end(), gets.begin(), gets_or_returns_memory);
  std::transform(trace.names.begin(), trace.names.end(), returns.begin(), returns_memory);
  Allocations found;
  const auto& rows = trace.activities;
  uint32_t returned_on = trace::kNone;
  for (size_t row = 0; row < rows.size(); ++row) {
    if (rows.kind[row] != trace::ActivityKind::runtime || !gets[rows.name[row]]) continue;
    const int64_t idle = idle_between(device, rows.start_ns[row], rows.end_ns(row));
    found.calls += idle > 0 ? 1 : 0;
    found.idle_ns = base::capped_sum(found.idle_ns, idle);
    const bool returned = returns[rows.name[row]];
    found.retries += !returned && returned_on == rows.track[row] ? 1 : 0;
    returned_on = returned ? rows.track[row] : trace::kNone;
  }
  return found;
}

// Threads may allocate side by side; the device idles once.
void allocation_rule(const TraceFacts& facts, Findings& into) {
  if (facts.attribution.devices.empty()) return;
  const attribution::DeviceTime& device = facts.attribution.devices.front();
  const Allocations found = allocations_of(facts.trace, device);
  const double share = ratio(std::min(found.idle_ns, device.parts.idle_ns()), device.wall_ns());
  if (share < kLeastIdle) return;
  Finding& finding = into.emplace_back(finding_of(kAllocator, device_name(facts, device.id)));
  finding.severity = severity_of_gain(share);
  finding.evidence.push_back(evidence_of(kAllocationShare, share));
  finding.what = fmt::format(
      "{} is idle for {} of the time during {} calls that allocate or free device memory; this "
      "counts as synchronisation",
      device_name(facts, device.id), percent(share), found.calls);
  if (found.retries > 0) {
    finding.what += fmt::format(
        "; {} it freed memory and allocated it again: the allocator ran out of memory, or the code "
        "frees it",
        found.retries == 1 ? "once" : fmt::format("{} times", found.retries));
  }
  finding.fix =
      "record after warm-up; if it persists, torch.backends.cudnn.benchmark = False for changing "
      "shapes, and " +
      expandable_segments(facts);
}

}  // namespace

void memory_rules(const TraceFacts& facts, Findings& into) {
  for (const DeviceMemory& memory : facts.memory) {
    growth_rule(facts, memory, into);
    checkpointing_rule(facts, memory, into);
    fragmentation_rule(facts, memory, into);
  }
  allocation_rule(facts, into);
}

std::vector<const Kind*> memory_kinds() {
  return {&kMemoryGrowth, &kCheckpointing, &kAllocator};
}

}  // namespace batchscope::advice
