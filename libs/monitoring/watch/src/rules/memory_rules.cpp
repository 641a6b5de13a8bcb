#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "batchscope/base/counted.hpp"
#include "batchscope/findings/wording.hpp"
#include "rules.hpp"

namespace batchscope::watch {
namespace {

using findings::Metric;
constexpr double kFarthest = 8;  // times the batch that was seen
constexpr double kNearlyFull = 0.97;

using findings::evidence_of;
using findings::percent;
using findings::Severity;

constexpr Metric kMemoryOfGpu{"gpu_memory",
                              "Highest use of device memory, as a share of its size."};
constexpr Metric kPossibleBatch{"possible_batch", "Batch size that fits into memory.", "samples"};

constexpr double least_memory(const Targets& by) {
  return by.gpu_memory.low;
}

constexpr double most_memory(const Targets& by) {
  return by.gpu_memory.high;
}

constexpr Kind kGpuMemory{
    Row("monitor.gpu-memory", "Memory of a GPU is nearly full",
        Prose("At least {%} of the GPU's memory is in use.", most_memory),
        "Use a smaller batch with accumulation, checkpointing, or 16 bits.",
        Prose("low; medium if it reaches {%} and varies", kNearlyFull), metrics(&kMemoryOfGpu)),
    200};

constexpr Kind kOutOfMemory{
    Row("monitor.out-of-memory", "Programs repeatedly end with a GPU's memory full",
        Prose("Three times within an hour, at least {%} of GPU memory was in use, then within {} "
              "seconds at most {%}: the program had ended. It probably runs out of memory and "
              "restarts (suspected); a queue of jobs that fill the GPU measures the same. A "
              "program that was idle for three minutes before its end does not count.",
              SuspectedOoms::kFull, SuspectedOoms::kShortlySeconds, SuspectedOoms::kNobodys),
        "Check the program's log for an out-of-memory error. Use a smaller batch with "
        "accumulation, checkpointing, or 16 bits.",
        "medium", metrics(&kMemoryOfGpu)),
    70};

constexpr Kind kHeadroom{
    Row("monitor.headroom", "GPU memory has room for a larger batch",
        Prose("Memory use is steady and below {%}, and the training reports its batch size. With "
              "several batch sizes, a straight line through memory use predicts the size that "
              "fits. With one, all memory counts as growing with the batch. With several GPUs, the "
              "smallest prediction counts.",
              least_memory),
        "Try a larger batch, and adapt the learning rate.", "info",
        metrics(&kMemoryOfGpu, &kPossibleBatch)),
    260};

// Allocators that take nearly all at the start and keep it are no danger; use that still moves is.
constexpr double kSteady = 0.02;

void pressure_rule(const GpuState& gpu, const RuleContext& facts, RuleHits& into) {
  const Cell memory = gpu.recent.over(GpuValue::memory_share);
  if (!memory.known()) return;
  const double limit = facts.targets.gpu_memory.high;
  const double slack = facts.is_active(kGpuMemory, gpu.key) ? 0.01 : 0;
  const auto high = gpu.recent.share(GpuValue::memory_share,
                                     [&](double share) { return share >= limit - slack; });
  if (!facts.mostly(high, kGpuMemory, gpu.key)) return;
  const bool moves = memory.high - memory.low > kSteady / 2;
  RuleHit& candidate = into.emplace_back(on_gpu(kGpuMemory, gpu, facts));
  candidate.finding.severity =
      moves && memory.high >= kNearlyFull ? Severity::medium : Severity::low;
  candidate.finding.what =
      fmt::format("{} uses {} of its memory{}", name_of(gpu), percent(memory.high),
                  moves ? ", and use varies: a larger input may not fit" : ", steadily");
  candidate.finding.fix =
      "use a smaller batch with gradient accumulation, activation checkpointing, or 16 bits";
  candidate.finding.evidence.push_back(evidence_of(kMemoryOfGpu, memory.high));
}

// By the line from the smallest to the largest size that was seen, which needs two of them; else as
// if all memory grew with the batch, which is too careful: weights do not.
std::optional<int64_t> possible_batch(const GpuState& gpu, double target) {
  const auto& seen = gpu.memory_by_batch;
  if (seen.empty() || seen.rbegin()->second <= 0) return std::nullopt;
  const auto [first_batch, first_share] = *seen.begin();
  const auto [last_batch, last_share] = *seen.rbegin();
  const auto last = static_cast<double>(last_batch);
  constexpr double kLeastRise = 0.01;  // less is noise
  const double rise = last_share - first_share;
  const double slope = rise < kLeastRise ? 0 : rise / static_cast<double>(last_batch - first_batch);
  // Beyond that nobody has seen how memory grows.
  const double most = kFarthest * last;
  if (slope > 0) return std::llround(std::min(last + (target - last_share) / slope, most));
  return static_cast<int64_t>(std::min(last * target / last_share, most));
}

struct Room {
  int64_t batch = 0;
  const GpuState* gpu = nullptr;  // that sets it
};

// The least of all GPUs that may be of the job: they all take a larger batch.
std::optional<Room> least_room(const RuleContext& facts) {
  std::optional<Room> least;
  for (const GpuState& gpu : facts.window.gpus()) {
    if (!gpu.up || !is_used(gpu) || !may_be_of_the_job(gpu, facts)) continue;
    const auto possible = possible_batch(gpu, facts.targets.gpu_memory.high);
    if (possible && (!least || *possible < least->batch)) least = {*possible, &gpu};
  }
  return least;
}

// 2 digits, and downwards: it is an estimate.
int64_t rounded(int64_t batch) {
  int64_t unit = 1;
  while (batch / unit >= 100) unit *= 10;
  return batch / unit * unit;
}

void headroom_rule(const GpuState& gpu, const RuleContext& facts, RuleHits& into) {
  constexpr double kLeastUsed = 0.05;
  const Cell memory = gpu.recent.over(GpuValue::memory_share);
  if (!memory.known() || memory.high < kLeastUsed) return;
  const double slack = facts.is_active(kHeadroom, gpu.key) ? kSteady : 0;
  if (memory.high >= facts.targets.gpu_memory.low + slack) return;
  if (memory.high - memory.low > kSteady || gpu.memory.rise() || gpu.memory.goes_up()) return;
  const std::optional<int64_t> batch = facts.window.job().batch_size;
  // What no training tells of may have a reason for its size.
  if (!facts.window.is_training() || !batch || !may_be_of_the_job(gpu, facts)) return;
  constexpr double kWorthIt = 1.1;  // times the batch
  const std::optional<Room> room = least_room(facts);
  if (!room || static_cast<double>(room->batch) < kWorthIt * static_cast<double>(*batch)) return;
  const int64_t about = std::max(*batch + 1, rounded(room->batch));
  RuleHit& candidate = into.emplace_back(on_gpu(kHeadroom, gpu, facts));
  candidate.weight = static_cast<double>(facts.window.now_ns());  // more or less is no trouble
  candidate.finding.status = findings::Status::suspected;
  candidate.finding.what =
      fmt::format("{} uses {} of its memory at batch {}; about batch {} fits{}", name_of(gpu),
                  percent(memory.high), *batch, about,
                  room->gpu == &gpu ? "" : ", limited by " + name_of(*room->gpu));
  candidate.finding.fix =
      "try a larger batch: it pays if the step time grows less than the batch; adapt the learning "
      "rate";
  candidate.finding.evidence.push_back(evidence_of(kMemoryOfGpu, memory.high));
  candidate.finding.evidence.push_back(evidence_of(kPossibleBatch, static_cast<double>(about)));
}

// A program that is begun again and again, and ends full each time. One end says nothing: jobs end.
void out_of_memory_rule(const GpuState& gpu, const RuleContext& facts, RuleHits& into) {
  constexpr int64_t kHourNs = 3600LL * 1'000'000'000;
  constexpr std::ptrdiff_t kFewestEnds = 3;
  const std::ptrdiff_t ends = gpu.full_ends.count_since(facts.window.now_ns() - kHourNs);
  if (ends < kFewestEnds) return;
  const double highest = gpu.full_ends.highest();
  RuleHit& candidate = into.emplace_back(on_gpu(kOutOfMemory, gpu, facts));
  candidate.at_once = true;
  candidate.weight = static_cast<double>(ends);
  candidate.finding.status = findings::Status::suspected;
  candidate.finding.what = fmt::format(
      "Programs on {} seem to run out of memory: they ended {} within an hour with up to {} of its "
      "memory in use",
      name_of(gpu), base::counted(ends, "time"), percent(highest));
  candidate.finding.fix =
      "check the program's log for an out-of-memory error; use a smaller batch with gradient "
      "accumulation, activation checkpointing, or 16 bits";
  candidate.finding.evidence.push_back(evidence_of(kMemoryOfGpu, highest));
}

void look_at_memory(const RuleContext& facts, RuleHits& into) {
  for (const GpuState& gpu : facts.window.gpus()) {
    if (gpu.up) out_of_memory_rule(gpu, facts, into);
    if (!is_judged(gpu)) continue;
    pressure_rule(gpu, facts, into);
    headroom_rule(gpu, facts, into);
  }
}

}  // namespace

Rules memory_rules() {
  return {look_at_memory, {&kGpuMemory, &kOutOfMemory, &kHeadroom}};
}

}  // namespace batchscope::watch
