// Causes on an accelerator, as far as the phases, the allocator and the tracer show them.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "batchscope/findings/wording.hpp"
#include "batchscope/schema/device_name.hpp"
#include "cause_rules.hpp"
#include "engine_variables.hpp"

namespace batchscope::causes {
namespace {

using findings::Metric;
using findings::percent;
using findings::three_digits;
using schema::Diagnosis;
using schema::Operation;
using schema::RunConfig;
using tables::UsableVisit;

constexpr Metric kDeviceBusyShare{
    "device_busy_share", "Share of the traced time with at least one kernel or copy running."};
constexpr Metric kGrowthADoubling{
    "growth_a_doubling",
    "Growth of the time of an iteration when the batch doubles, from the slope between two sizes."};
constexpr Metric kLostInLastWaves{"lost_in_last_waves",
                                  "Share of the traced time lost in the unfilled part of final "
                                  "waves that the smaller size does not need."};
constexpr Metric kNewKernelsShare{
    "new_kernels_share",
    "Share of the traced time spent in main kernels that the smaller size does not use."};
constexpr Metric kDeviceAllocations{
    "device_allocations", "Calls in which the caching allocator requests memory from the device.",
    "an iteration"};
constexpr Metric kPageableCopyShare{
    "pageable_copy_share",
    "Share of the traced time spent copying from or to memory that is not pinned."};

// The traced time is that of the iterations under the tracer, idle device included. All shares of
// this file are of it; those of an iteration, elsewhere, are of undisturbed ones.
double share_of_trace(const SizeFacts& size, const Operation& operation) {
  return static_cast<double>(operation.self_ns) / static_cast<double>(size.traced()->traced_ns);
}

constexpr double kMostlyIdle = 0.5;
constexpr double kFlat = 1.2;  // a batch costs at most so much more than half of it

// The device waits for the host to issue work, and so the time hardly grows with the batch.
Signal launch_bound(const TableFacts& table, std::size_t at) {
  const SizeFacts& size = table.sizes[at];
  const auto busy = size.device_busy_share();
  if (!busy) return {};
  Signal signal;
  signal.words = fmt::format("the device is busy for {} of the traced time", percent(*busy));
  signal.evidence = {evidence_of(kDeviceBusyShare, *busy)};
  const std::size_t other = at + 1 < table.sizes.size() ? at + 1 : at - 1;
  if (table.sizes.size() < 2 || *busy >= kMostlyIdle) return signal;
  const SizeFacts& next = table.sizes[other];
  const double growth =
      std::log(next.iteration_ns() / size.iteration_ns()) /
      std::log(static_cast<double>(next.batch_size()) / static_cast<double>(size.batch_size()));
  signal.evidence.push_back(evidence_of(kGrowthADoubling, std::exp2(growth)));
  if (std::exp2(growth) <= kFlat) signal.strength = 1 - *busy;
  return signal;
}

constexpr double kWorthAWave = 0.03;

// Blocks of a launch over how many the device runs at once.
std::optional<double> waves_of(const Diagnosis& seen, const Operation& kernel) {
  if (!kernel.grid_blocks || !kernel.blocks_per_sm || !seen.multiprocessors) return std::nullopt;
  const auto at_once = static_cast<double>(*kernel.blocks_per_sm * *seen.multiprocessors);
  if (at_once <= 0) return std::nullopt;
  return static_cast<double>(*kernel.grid_blocks) / at_once;
}

const Operation* find_kernel(const Diagnosis& seen, const std::string& name) {
  for (const Operation& each : seen.operations) {
    if (each.kind == schema::OperationKind::kernel && each.name == name) return &each;
  }
  return nullptr;
}

// Time that a kernel's last wave leaves the device partly idle, as a share of the traced time;
// only where a smaller batch of the same kernel needs a wave less.
double lost_in_waves(const SizeFacts& size, const SizeFacts& before, const Operation& kernel) {
  const auto waves = waves_of(*size.traced(), kernel);
  const Operation* there = find_kernel(*before.traced(), kernel.name);
  const auto fewer = there == nullptr ? std::nullopt : waves_of(*before.traced(), *there);
  if (!waves || !fewer || std::ceil(*waves) <= std::ceil(*fewer)) return 0;
  return share_of_trace(size, kernel) * (1 - *waves / std::ceil(*waves));
}

Signal partial_waves(const TableFacts& table, std::size_t at) {
  const SizeFacts& size = table.sizes[at];
  const SizeFacts* before = table.diagnosed_before(at);
  if (size.traced() == nullptr || before == nullptr || before->traced() == nullptr) return {};
  double lost = 0;
  for (const Operation& each : size.traced()->operations) {
    if (each.kind == schema::OperationKind::kernel) lost += lost_in_waves(size, *before, each);
  }
  return {size.odd && lost >= kWorthAWave ? lost : 0,
          fmt::format("{} of the traced time goes into final waves that batch {} does not need",
                      percent(lost), before->batch_size()),
          {evidence_of(kLostInLastWaves, lost)}};
}

constexpr double kMainKernel = 0.1;
constexpr double kWorthPinning = 0.02;

// Kernels with a tenth of the time each that the smaller batch does not use at all.
Signal other_kernels(const TableFacts& table, std::size_t at) {
  const SizeFacts& size = table.sizes[at];
  const SizeFacts* before = table.diagnosed_before(at);
  if (size.traced() == nullptr || before == nullptr || before->traced() == nullptr) return {};
  double share = 0;
  std::string names;
  for (const Operation& each : size.traced()->operations) {
    if (each.kind != schema::OperationKind::kernel || share_of_trace(size, each) < kMainKernel)
      continue;
    if (find_kernel(*before->traced(), each.name) != nullptr) continue;
    share += share_of_trace(size, each);
    names += (names.empty() ? "" : ", ") + each.name;
  }
  return {size.odd ? share : 0,
          names.empty() ? "the same kernels as the smaller batch"
                        : fmt::format("{} of the traced time in {}", percent(share), names),
          {evidence_of(kNewKernelsShare, share)}};
}

Signal allocating(const TableFacts& table, std::size_t at) {
  double calls = 0, iterations = 0;
  for (const UsableVisit& usable : table.sizes[at].config->visits) {
    if (!usable.visit->memory.device_allocations) continue;
    calls += static_cast<double>(*usable.visit->memory.device_allocations);
    iterations += iterations_of(*usable.visit);
  }
  if (iterations == 0) return {};
  Signal signal;
  signal.words =
      fmt::format("{} allocations from the device per iteration", three_digits(calls / iterations));
  signal.evidence = {evidence_of(kDeviceAllocations, calls / iterations)};
  constexpr double kACall = 1e5;  // ns, as of cudaMalloc: decides only what is tried first
  if (calls / iterations < 0.1) return signal;
  signal.strength = std::min(calls / iterations * kACall / table.sizes[at].iteration_ns(), 1.0);
  return signal;
}

// Its variable is read by the allocator of CUDA devices alone.
std::optional<RunConfig> with_expandable_segments(const RunConfig& config) {
  const auto& variables = variables_of(config.engine).growing_segments;
  if (variables.empty() || !schema::is_cuda(config.device)) return std::nullopt;
  return under(config, variables);
}

bool is_pageable(const Operation& operation) {
  return operation.kind == schema::OperationKind::memcpy && operation.pageable;
}

Signal pageable_copies(const TableFacts& table, std::size_t at) {
  const SizeFacts& size = table.sizes[at];
  if (size.traced() == nullptr) return {};
  double share = 0;
  for (const Operation& each : size.traced()->operations) {
    if (is_pageable(each)) share += share_of_trace(size, each);
  }
  return {share >= kWorthPinning ? share : 0,
          fmt::format("{} of the traced time in copies from pageable memory", percent(share)),
          {evidence_of(kPageableCopyShare, share)}};
}

constexpr std::array kDeviceRules = {
    CauseRule{
        Row("cause.launch-bound", "The device waits for the host",
            Prose(
                "The device is busy for less than half of the traced time, and doubling the batch "
                "costs less than {%}. No experiment tests this cause, so it is only suspected.",
                kFlat - 1),
            "Launch fewer, larger kernels (on CUDA, replay the iteration as a graph), or use a "
            "larger batch, which costs little.",
            kCauseSeverity, metrics(&kDeviceBusyShare, &kGrowthADoubling)),
        "the device waits for the host, which launches many small kernels one by one",
        DiagnosisPart::kernels,
        Where::accelerator,
        launch_bound,
        nullptr,
        {},
        "replay the iteration as a CUDA graph (torch.compile(model, mode=\"reduce-overhead\") or "
        "torch.cuda.CUDAGraph), or use a larger batch, which costs little",
        Judged::by_time,
        "launch fewer, larger kernels (torch.compile fuses kernels), or use a larger batch, which "
        "costs little"},
    CauseRule{Row("cause.wave-quantization", "A kernel needs one more, partly filled wave",
                  Prose("The number of waves of a launch crosses an integer between this size and "
                        "the next smaller one. The unfilled part of the final waves is at least "
                        "{%} of the traced time, and a sample costs over {%} more. No experiment "
                        "tests this cause, so it is only suspected.",
                        kWorthAWave, kWorthACause),
                  "Pad or split to a size whose blocks fill all waves.", kCauseSeverity,
                  metrics(&kLostInLastWaves)),
              "a kernel needs one more wave, which fills only a part of the device",
              DiagnosisPart::kernels,
              Where::accelerator,
              partial_waves,
              nullptr,
              {},
              "pad or split to a batch size whose blocks fill all waves"},
    CauseRule{Row("cause.kernel-selection", "The libraries choose different kernels",
                  Prose("Kernels with at least 10 % of the traced time each do not occur at the "
                        "next smaller size, and a sample costs over {%} more. No experiment tests "
                        "this cause, so it is only suspected.",
                        kWorthACause),
                  "Let the libraries try their kernels (cudnn.benchmark, max-autotune), or use a "
                  "size with the faster ones.",
                  kCauseSeverity, metrics(&kNewKernelsShare)),
              "the libraries choose different kernels than at smaller batches",
              DiagnosisPart::kernels,
              Where::accelerator,
              other_kernels,
              nullptr,
              {},
              "torch.backends.cudnn.benchmark = True, torch.compile(model, "
              "mode=\"max-autotune\"), or a batch size with the faster kernels",
              Judged::by_time,
              "torch.compile(model, mode=\"max-autotune\"), or a batch size with the faster "
              "kernels"},
    CauseRule{
        Row("cause.device-allocator", "The allocator asks the device for memory in steady state",
            "The caching allocator requests memory from the device in at least one of ten timed "
            "iterations, so the host waits for the device. On CUDA batchscope measures the size "
            "again with "
            "expandable segments. Elsewhere no experiment tests this cause, so it is only "
            "suspected.",
            "On CUDA, set the variable in the finding. Elsewhere, use few batch shapes, or smaller "
            "batches.",
            kCauseSeverity, metrics(&kDeviceAllocations, &findings::metric::kTimeSaved)),
        "the caching allocator asks the device for memory in steady state",
        DiagnosisPart::memory,
        Where::accelerator,
        allocating,
        with_expandable_segments,
        "with expandable segments",
        {},
        Judged::by_time,
        "use few batch shapes, so that the allocator's cache can serve all, or smaller batches"},
    CauseRule{
        Row("cause.pageable-transfers", "Copies start from memory that is not pinned",
            Prose("The tracer shows copies from or to pageable host memory in at least {%} of the "
                  "traced time. No experiment tests this cause, so it is only suspected.",
                  kWorthPinning),
            "Pin the loader's memory and copy without blocking.", kCauseSeverity,
            metrics(&kPageableCopyShare)),
        "copies to the device start from memory that is not pinned",
        DiagnosisPart::transfers,
        Where::accelerator,
        pageable_copies,
        nullptr,
        {},
        "DataLoader(pin_memory=True), and tensor.to(device, non_blocking=True)"}};

}  // namespace

std::span<const CauseRule> device_rules() {
  return kDeviceRules;
}

}  // namespace batchscope::causes
