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
constexpr Metric kDramActive{"dram_active",
                             "Share of the bandwidth of device memory that was used."};

constexpr double very_few_at_work(const Targets& by) {
  return by.sm_active_low / 2;
}

constexpr Kind kSmallBatch{
    Row("monitor.small-batch", "A GPU is busy with work too small for it",
        Prose("Some kernel runs nearly always, but fewer than {%} of the multiprocessors are at "
              "work on average (measured); or where the GPU does not tell that, it draws less than "
              "{%} of its power limit at a high clock (suspected).",
              &Targets::sm_active_low, &Targets::power_low),
        "A larger batch, or several models on one GPU; fused kernels where memory is full.",
        Prose("low; medium where fewer than {%} of the multiprocessors are at work",
              very_few_at_work),
        metrics(&metric::kSmActive, &metric::kPowerShare)),
    210};

constexpr Kind kMemoryBound{Row("monitor.memory-bound", "Device memory limits a GPU",
                                Prose("At least {%} of the bandwidth of device memory is used, and "
                                      "tensor cores work for less than {%} of the cycles.",
                                      &Targets::dram_active_high, &Targets::tensor_active_low),
                                "Larger batches for inference, fewer bits, fused kernels.", "low",
                                metrics(&kDramActive, &kTensorActive)),
                            220};

std::string how_busy(double busy) {
  constexpr double kAlways = 0.95;
  return busy >= kAlways ? "always busy" : fmt::format("busy for {} of the time", percent(busy));
}

void tell_of_small_kernels(const std::string& is_busy, double share, bool by_sm, bool very_few,
                           findings::Finding& finding) {
  finding.severity = very_few ? Severity::medium : Severity::low;
  const std::string because =
      by_sm ? fmt::format("{} of its multiprocessors are at work on average", percent(share))
            : fmt::format("draws {} of its power limit: its kernels are too small", percent(share));
  finding.what = fmt::format("{}, and {}", is_busy, because);
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
          ? "memory has no room for a larger batch: fuse kernels (torch.compile), CUDA "
            "graphs, or 16 bits and checkpointing for room"
          : "a larger batch, or several models on one GPU (MPS, MIG)";
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
      "a larger batch reuses what is read (inference of language models above all), 16 or 8 "
      "bits halve it, fused kernels (torch.compile, FlashAttention) read it once";
  const double dram = gpu.recent.over(GpuValue::dram_active).mean();
  candidate.tell_with_levels({dram, tensor.mean()}, [bare = candidate.finding, name = name_of(gpu)](
                                                        std::span<const double> shares) {
    findings::Finding finding = bare;
    finding.what = fmt::format(
        "{} uses {} of its memory's bandwidth, and its tensor cores are at work for {} of the "
        "time: memory is what limits",
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
