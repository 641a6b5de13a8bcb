#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "batchscope/findings/monitor_metrics.hpp"
#include "facts.hpp"
#include "standing/kinds.hpp"
#include "window/times.hpp"

namespace batchscope::watch {
namespace {

namespace metric = findings::metric;

// Some kernel runs always and does next to nothing: it waits. The share of multiprocessors at work,
// else of the power limit, where it is so low.
std::optional<double> share_of_a_kernel_that_waits(const GpuState& gpu) {
  constexpr double kAlways = 0.9, kFewSms = 0.05, kLittlePower = 0.45, kNoMemory = 0.02;
  constexpr double kSmsOfACollective = 0.3, kMovesNothing = 0.03;
  const auto over = [&](GpuValue value) { return gpu.recent.over(value); };
  if (!over(GpuValue::busy).known() || over(GpuValue::busy).mean() < kAlways) return std::nullopt;
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
  constexpr double kLeastSeconds = 180, kTimesAsLong = 3;
  const JobState& job = window.job();
  return seconds_between(job.last_step_ns, window.now_ns()) >=
         std::max(kLeastSeconds, kTimesAsLong * job.longest_gap_seconds);
}

}  // namespace

bool stall_rule(const GpuState& gpu, const Facts& facts, Candidates& into) {
  if (facts.window.job().last_step_ns == 0 || facts.window.is_training()) return false;
  const auto share = share_of_a_kernel_that_waits(gpu);
  if (!share) return false;
  // What was so before, or ended and began, is another program's.
  constexpr double kLess = 0.5;
  if (gpu.idle_since_step || !trained(gpu) || *share > kLess * gpu.worked) return false;
  // Until then nothing is said: no larger batch helps.
  if (!is_late(facts.window)) return true;
  Candidate candidate = on_gpu(kind::kStalled, gpu, facts);
  candidate.finding.severity = findings::Severity::high;
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
  into.push_back(std::move(candidate));
  return true;
}

}  // namespace batchscope::watch
