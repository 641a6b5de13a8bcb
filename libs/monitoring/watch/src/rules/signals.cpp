#include "signals.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace batchscope::watch {
namespace {

// Signals are nothing else.
using Numbers = std::array<double, sizeof(Signals) / sizeof(double)>;

// The least and the largest share of its time that a loop waits for batches; absent: none says.
// Which of them runs on a GPU nobody says.
std::optional<stats::Interval> loading_shares(const JobState& job) {
  constexpr double kCounts = 0.5;  // of what is told of a loop on average
  WaitsBySource by_source;
  double reported_seconds = 0;
  for (const JobBucket& bucket : job.recent.closed()) {
    for (const auto& [source, waits] : bucket.waits) {
      by_source[source].reported_seconds += waits.reported_seconds;
      by_source[source].loading_seconds += waits.loading_seconds;
      reported_seconds += waits.reported_seconds;
    }
  }
  Cell shares;
  for (const auto& [source, waits] : by_source) {
    const auto loops = static_cast<double>(by_source.size());
    if (waits.reported_seconds * loops < kCounts * reported_seconds) continue;
    shares.add(waits.loading_seconds / waits.reported_seconds);
  }
  if (!shares.known()) return std::nullopt;
  return stats::Interval{shares.low, shares.high};
}

// How often readings cross the middle of their range, at the most once a bucket: what begins or
// ends does once, what is interrupted twice.
int turns_of(const GpuState& gpu) {
  const Cell all = gpu.recent.over(GpuValue::busy);
  const double middle = (all.low + all.high) / 2;
  enum class Side { none, low, high, both };
  Side last = Side::none;
  int turns = 0;
  for (const GpuBucket& bucket : gpu.recent.closed()) {
    const Cell& busy = bucket.values[GpuValue::busy];
    if (!busy.known()) continue;
    const Side side = busy.high < middle ? Side::low : busy.low >= middle ? Side::high : Side::both;
    const bool crossed = last != Side::none && last != Side::both && side != last;
    turns += side == Side::both || crossed ? 1 : 0;
    last = side;
  }
  return turns;
}

// By the processes that are watched, else by all.
void take_disks(const RuleContext& facts, Signals& seen) {
  const Recent<JobBucket>& job = facts.window.job().recent;
  const Recent<HostBucket>& host = facts.window.host();
  const bool by_job = job.over(JobValue::writes).known();
  seen.reads = by_job ? job.over(JobValue::reads).mean() : host.over(HostValue::disk_reads).mean();
  seen.writes =
      by_job ? job.over(JobValue::writes).mean() : host.over(HostValue::disk_writes).mean();
}

}  // namespace

Signals Signals::from(std::span<const double> numbers) {
  Numbers all{};
  std::ranges::copy(numbers, all.begin());
  return std::bit_cast<Signals>(all);
}

std::vector<double> Signals::numbers() const {
  const auto all = std::bit_cast<Numbers>(*this);
  return {all.begin(), all.end()};
}

Signals signals_of(const GpuState& gpu, const RuleContext& facts) {
  const Recent<JobBucket>& job = facts.window.job().recent;
  const Recent<HostBucket>& host = facts.window.host();
  Signals seen;
  const Cell busy = gpu.recent.over(GpuValue::busy);
  seen.idle = 1 - busy.mean();
  seen.swing = busy.spread();
  seen.turns = turns_of(gpu);
  if (const auto loading = loading_shares(facts.window.job())) {
    seen.knows_loading = 1;
    seen.loading = loading->high;
    seen.least_loading = loading->low;
  }
  seen.worker_cpu = job.over(JobValue::worker_cpu).mean();
  seen.workers = job.over(JobValue::workers).mean();
  seen.thread = job.over(JobValue::busiest_thread).mean();
  seen.io_pressure = host.over(HostValue::io_pressure).mean();
  seen.io_wait = host.over(HostValue::iowait).mean();
  if (const Cell wait = job.over(JobValue::io_wait); wait.known()) {
    seen.knows_process_io_wait = 1;
    seen.process_io_wait = wait.mean();
  }
  take_disks(facts, seen);
  seen.hottest_core = host.over(HostValue::hottest_core).mean();
  seen.mean_core = host.over(HostValue::mean_core).mean();
  seen.hot_cores = host.over(HostValue::hot_cores).mean();
  seen.cpus = facts.window.cpus();
  seen.cpu_busy = host.over(HostValue::cpu_busy).mean();
  seen.is_watching = facts.window.is_watching() ? 1 : 0;
  seen.is_training = facts.window.is_training() ? 1 : 0;
  seen.gpus = static_cast<double>(
      std::count_if(facts.window.gpus().begin(), facts.window.gpus().end(),
                    [](const GpuState& each) { return each.up && is_used(each); }));
  return seen;
}

}  // namespace batchscope::watch
