// What a GPU does that is busy.

#include <fmt/format.h>

#include <span>
#include <string>

#include "batchscope/findings/wording.hpp"
#include "rules.hpp"

namespace batchscope::watch {
namespace {

using findings::evidence_of;
using findings::Metric;
using findings::percent;
using findings::Severity;

constexpr Metric kTensorActive{"tensor_active", "Share of cycles in which tensor cores worked."};
constexpr Metric kDramActive{"dram_active", "Share of the device memory bandwidth in use."};

constexpr double very_few_at_work(const Targets& by) {
  return by.sm_active_low / 2;
}

constexpr Kind kSmallBatch{
    Row("monitor.small-batch", "A GPU runs kernels that are too small for it",
        Prose("A kernel runs nearly all the time, but fewer than {%} of the multiprocessors are "
              "active on average (measured). Some GPUs do not report this. For them, the GPU draws "
              "less than {%} of its power limit at a high clock (suspected).",
              &Targets::sm_active_low, &Targets::power_low),
        "Use a larger batch, or run several models on one GPU. If memory is full, fuse kernels.",
        Prose("low; medium if fewer than {%} of the multiprocessors are active", very_few_at_work),
        metrics(&metric::kSmActive, &metric::kPowerShare)),
    210};

constexpr Kind kMemoryBound{Row("monitor.memory-bound", "Memory bandwidth limits a GPU",
                                Prose("The GPU uses at least {%} of its memory bandwidth, and its "
                                      "tensor cores are active in less than {%} of the cycles.",
                                      &Targets::dram_active_high, &Targets::tensor_active_low),
                                "Use larger batches for inference, fewer bits, or fused kernels.",
                                "low", metrics(&kDramActive, &kTensorActive)),
                            220};

std::string how_busy(double busy) {
  constexpr double kAlways = 0.95;
  return busy >= kAlways ? "always busy" : fmt::format("busy {} of the time", percent(busy));
}

void tell_of_small_kernels(const std::string& is_busy, double share, bool by_sm, bool very_few,
                           findings::Finding& finding) {
  finding.severity = very_few ? Severity::medium : Severity::low;
  const std::string because =
      by_sm ? fmt::format("only {} of its multiprocessors are active on average", percent(share))
            : fmt::format("draws only {} of its power limit: its kernels are too small",
                          percent(share));
  finding.what = fmt::format("{}, but {}", is_busy, because);
  finding.evidence.push_back(evidence_of(by_sm ? metric::kSmActive : metric::kPowerShare, share));
}

// By the share of SM cycles at work, else by a power that no kernel of any size would leave so low
// at that clock.
bool small_batch_rule(const GpuState& gpu, const RuleContext& facts, RuleHits& into) {
  const Targets& targets = facts.targets;
  const double sm_limit = facts.under(targets.sm_active_low, kSmallBatch, gpu.key);
  const double power_limit = facts.under(targets.power_low, kSmallBatch, gpu.key);
  const auto few =
      gpu.recent.share(GpuValue::sm_active, [&](double active) { return active < sm_limit; });
  const auto weak =
      gpu.recent.share(GpuValue::power_share, [&](double share) { return share < power_limit; });
  constexpr double kHighClock = 0.80, kMemoryIsBusy = 0.50;
  const bool by_power = !few && gpu.recent.over(GpuValue::clock_share).mean() >= kHighClock &&
                        gpu.recent.over(GpuValue::memory_busy).mean() < kMemoryIsBusy;
  if (!(few ? facts.mostly(few, kSmallBatch, gpu.key)
            : by_power && facts.mostly(weak, kSmallBatch, gpu.key))) {
    return false;
  }
  const GpuValue value = few ? GpuValue::sm_active : GpuValue::power_share;
  const double memory = gpu.recent.over(GpuValue::memory_share).high;
  RuleHit& candidate = into.emplace_back(on_gpu(kSmallBatch, gpu, facts));
  candidate.finding.status = few ? findings::Status::measured : findings::Status::suspected;
  candidate.finding.fix =
      memory >= targets.gpu_memory.high
          ? "memory has no room for a larger batch: fuse kernels (torch.compile), use CUDA graphs, "
            "or make room with 16 bits or checkpointing"
          : "use a larger batch, or run several models on one GPU (MPS, MIG)";
  candidate.tell_with_levels(
      {gpu.recent.over(value).mean(), gpu.recent.over(GpuValue::busy).mean()},
      [bare = candidate.finding, by_sm = few.has_value(), limit = targets.sm_active_low,
       name = name_of(gpu)](std::span<const double> shares) {
        findings::Finding finding = bare;
        const std::string is_busy = name + " is " + how_busy(shares[1]);
        tell_of_small_kernels(is_busy, shares[0], by_sm, by_sm && shares[0] < limit / 2, finding);
        return finding;
      });
  candidate.finding.evidence.front().estimate.ci = estimate(gpu.recent, value).ci;
  return true;
}

void memory_bound_rule(const GpuState& gpu, const RuleContext& facts, RuleHits& into) {
  const Targets& targets = facts.targets;
  const double limit = facts.over(targets.dram_active_high, kMemoryBound, gpu.key);
  const auto high =
      gpu.recent.share(GpuValue::dram_active, [&](double active) { return active >= limit; });
  const Cell tensor = gpu.recent.over(GpuValue::tensor_active);
  if (!facts.mostly(high, kMemoryBound, gpu.key) || !tensor.known()) return;
  if (tensor.mean() >= facts.under(targets.tensor_active_low, kMemoryBound, gpu.key)) return;
  RuleHit& candidate = into.emplace_back(on_gpu(kMemoryBound, gpu, facts));
  candidate.finding.fix =
      "use a larger batch, which reads the weights once for more samples; or use 16 or 8 bits, or "
      "fused kernels (torch.compile, FlashAttention)";
  const double dram = gpu.recent.over(GpuValue::dram_active).mean();
  candidate.tell_with_levels({dram, tensor.mean()}, [bare = candidate.finding, name = name_of(gpu)](
                                                        std::span<const double> shares) {
    findings::Finding finding = bare;
    finding.what = fmt::format(
        "Memory bandwidth limits {}: it uses {} of the bandwidth, and its tensor cores are active "
        "{} of the time",
        name, percent(shares[0]), percent(shares[1]));
    finding.evidence = {evidence_of(kDramActive, shares[0]), evidence_of(kTensorActive, shares[1])};
    return finding;
  });
  candidate.finding.evidence[0].estimate.ci = estimate(gpu.recent, GpuValue::dram_active).ci;
  candidate.finding.evidence[1].estimate.ci = estimate(gpu.recent, GpuValue::tensor_active).ci;
}

}  // namespace

void busy_rule(const GpuState& gpu, const RuleContext& facts, RuleHits& into) {
  if (!small_batch_rule(gpu, facts, into)) memory_bound_rule(gpu, facts, into);
}

Rules busy_rules() {
  return {nullptr, {&kSmallBatch, &kMemoryBound}};
}

}  // namespace batchscope::watch
