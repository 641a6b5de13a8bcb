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
    Row("monitor.stalled", "A training stands still while its GPU spins",
        Prose(
            "A loop told its steps and tells no more, for {} minutes and three times as long as it "
            "ever took from one to the next; a GPU that worked meanwhile has been busy ever since, "
            "for at least {%} of the time, and fewer than {%} of its multiprocessors are at work, "
            "or fewer than {%} and neither memory nor tensor cores (where the GPU does not tell "
            "that: it draws less than {%} of its power limit, and its memory is not used). A "
            "kernel waits for what does not come (suspected). Not while another loop goes on.",
            kLateSeconds / 60, kAlwaysBusy, kFewSms, kSmsOfACollective, kLittlePower),
        "Look where each rank stands (py-spy dump); set a timeout for collectives.", "high",
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
      "No more steps are told, and {} is always busy with next to nothing: a kernel on it waits, "
      "as in a collective of which another rank hangs",
      name_of(gpu));
  candidate.finding.fix =
      "look where each rank stands (py-spy dump), and which one is elsewhere or gone; a "
      "timeout of the process group ends such a run by itself";
  const bool by_sm = gpu.recent.over(GpuValue::sm_active).known();
  candidate.finding.evidence.push_back(
      evidence_of(by_sm ? metric::kSmActive : metric::kPowerShare, *share));
  return true;
}

Rules stall_rules() {
  return {nullptr, {&kStalled}};
}

}  // namespace batchscope::watch
