#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "rules.hpp"
#include "window/times.hpp"

namespace batchscope::watch {
namespace {

constexpr double kAlwaysBusy = 0.9, kFewSms = 0.05, kSmsOfACollective = 0.3, kLittlePower = 0.45;
constexpr double kLateSeconds = 180, kTimesAsLate = 3;

constexpr Kind kStalled{
    Row("monitor.stalled", "A training hangs while its GPU is busy",
        Prose("A loop has reported no step for {} minutes, and for three times its longest pause. "
              "Its GPU has been busy at least {%} of the time since, with fewer than {%} of its "
              "multiprocessors active, or fewer than {%} with idle memory and tensor cores. (If "
              "the GPU does not report these, it draws less than {%} of its power limit, with idle "
              "memory.) A kernel probably waits for another rank (suspected). This does not apply "
              "while another loop continues.",
              kLateSeconds / 60, kAlwaysBusy, kFewSms, kSmsOfACollective, kLittlePower),
        "See where each rank waits (py-spy dump). Set a timeout for collectives.", "high",
        metrics(&metric::kSmActive, &metric::kPowerShare)),
    30};

// Some kernel runs always and does next to nothing: it waits. The share of multiprocessors at work,
// else of the power limit, where it is so low.
std::optional<double> share_of_a_kernel_that_waits(const GpuState& gpu) {
  constexpr double kNoMemory = 0.02, kMovesNothing = 0.03;
  const auto over = [&](GpuValue value) { return gpu.recent.over(value); };
  if (!over(GpuValue::busy).known() || over(GpuValue::busy).mean() < kAlwaysBusy)
    return std::nullopt;
  if (const Cell sm = over(GpuValue::sm_active); sm.known()) {
    const Cell dram = over(GpuValue::dram_active), tensor = over(GpuValue::tensor_active);
    const bool moves_nothing = dram.known() && tensor.known() && dram.mean() < kMovesNothing &&
                               tensor.mean() < kMovesNothing;
    const double most = moves_nothing ? kSmsOfACollective : kFewSms;
    return sm.mean() < most ? std::optional(sm.mean()) : std::nullopt;
  }
  const Cell power = over(GpuValue::power_share), memory = over(GpuValue::memory_busy);
  const bool is_low =
      power.known() && memory.known() && power.mean() < kLittlePower && memory.mean() < kNoMemory;
  return is_low ? std::optional(power.mean()) : std::nullopt;
}

// For far longer without a step than it ever was.
bool is_late(const Window& window) {
  const JobState& job = window.job();
  return seconds_between(job.last_step_ns, window.now_ns()) >=
         std::max(kLateSeconds, kTimesAsLate * job.longest_gap_seconds);
}

}  // namespace

bool stall_rule(const GpuState& gpu, const RuleContext& facts, RuleHits& into) {
  if (facts.window.job().last_step_ns == 0 || facts.window.is_training()) return false;
  const auto share = share_of_a_kernel_that_waits(gpu);
  if (!share) return false;
  // What was so before, or ended and began, is another program's.
  constexpr double kLess = 0.5;
  if (gpu.idle_since_step || !trained(gpu) || *share > kLess * gpu.worked) return false;
  // Until then nothing is said: no larger batch helps.
  if (!is_late(facts.window)) return true;
  RuleHit& candidate = into.emplace_back(on_gpu(kStalled, gpu, facts));
  candidate.finding.status = findings::Status::suspected;
  candidate.finding.what = fmt::format(
      "The training loop reports no more steps, and {} is busy with almost no work: a kernel "
      "waits, probably in a collective for a rank that hangs",
      name_of(gpu));
  candidate.finding.fix =
      "see where each rank waits (py-spy dump), and which one is elsewhere or gone; a timeout of "
      "the process group would end the run";
  const bool by_sm = gpu.recent.over(GpuValue::sm_active).known();
  candidate.finding.evidence.push_back(
      evidence_of(by_sm ? metric::kSmActive : metric::kPowerShare, *share));
  return true;
}

Rules stall_rules() {
  return {nullptr, {&kStalled}};
}

}  // namespace batchscope::watch
