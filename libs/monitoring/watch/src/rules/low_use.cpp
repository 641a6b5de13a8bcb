#include "low_use.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <vector>

#include "batchscope/base/units.hpp"
#include "batchscope/findings/monitor_metrics.hpp"
#include "batchscope/findings/wording.hpp"
#include "standing/kinds.hpp"

namespace batchscope::watch {
namespace {

using findings::evidence_of;
using findings::percent;
using findings::Status;
namespace metric = findings::metric;

struct Signals {
  double idle = 0;
  double swing = 0;
  double turns = 0;          // from busy to not and back
  double knows_loading = 0;  // 0 or 1, or the share of the time
  double loading = 0;        // of the steps' time, times that; of the loop that waits most
  double least_loading = 0;  // of the one that waits least
  double worker_cpu = 0;
  double workers = 0;
  double thread = 0;
  double io_pressure = 0, io_wait = 0;
  double knows_process_io_wait = 0;  // not: the kernel does not count it
  double process_io_wait = 0;        // times that
  double reads = 0, writes = 0;      // of disks, bytes a second
  double hottest_core = 0, mean_core = 0, hot_cores = 0;
  double cpus = 0, cpu_busy = 0;
  double is_watching = 0, is_training = 0;
  double gpus = 0;  // that are used

  std::optional<double> loading_if_told() const {
    return knows_loading > 0 ? std::optional(loading / knows_loading) : std::nullopt;
  }
  std::optional<double> process_io_wait_if_known() const {
    return knows_process_io_wait > 0 ? std::optional(process_io_wait / knows_process_io_wait)
                                     : std::nullopt;
  }
};

constexpr std::array kSignals = {&Signals::idle,
                                 &Signals::swing,
                                 &Signals::turns,
                                 &Signals::knows_loading,
                                 &Signals::loading,
                                 &Signals::least_loading,
                                 &Signals::worker_cpu,
                                 &Signals::workers,
                                 &Signals::thread,
                                 &Signals::io_pressure,
                                 &Signals::io_wait,
                                 &Signals::knows_process_io_wait,
                                 &Signals::process_io_wait,
                                 &Signals::reads,
                                 &Signals::writes,
                                 &Signals::hottest_core,
                                 &Signals::mean_core,
                                 &Signals::hot_cores,
                                 &Signals::cpus,
                                 &Signals::cpu_busy,
                                 &Signals::is_watching,
                                 &Signals::is_training,
                                 &Signals::gpus};

Signals from(std::span<const double> numbers) {
  Signals seen;
  for (std::size_t i = 0; i < kSignals.size(); ++i) seen.*kSignals.at(i) = numbers[i];
  return seen;
}

// The least and the largest share of its time that a loop waits for batches; absent: none says.
// Which of them runs on a GPU nobody says.
std::optional<stats::Interval> loading_shares(const JobState& job) {
  constexpr double kCounts = 0.5;  // of what is told of a loop on average
  WaitsBySource by_source;
  double told_seconds = 0;
  for (const JobBucket& bucket : job.recent.closed()) {
    for (const auto& [source, waits] : bucket.waits) {
      by_source[source].told_seconds += waits.told_seconds;
      by_source[source].loading_seconds += waits.loading_seconds;
      told_seconds += waits.told_seconds;
    }
  }
  Cell shares;
  for (const auto& [source, waits] : by_source) {
    const auto loops = static_cast<double>(by_source.size());
    if (waits.told_seconds * loops < kCounts * told_seconds) continue;
    shares.add(waits.loading_seconds / waits.told_seconds);
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
void take_disks(const Facts& facts, Signals& seen) {
  const Recent<JobBucket>& job = facts.window.job().recent;
  const Recent<HostBucket>& host = facts.window.host();
  const bool by_job = job.over(JobValue::writes).known();
  seen.reads = by_job ? job.over(JobValue::reads).mean() : host.over(HostValue::disk_reads).mean();
  seen.writes =
      by_job ? job.over(JobValue::writes).mean() : host.over(HostValue::disk_writes).mean();
}

Signals signals_of(const GpuState& gpu, const Facts& facts) {
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

// A share of all CPUs says little on a large machine: one that always waits says enough.
// Where the wait of the processes that are watched is known, that of others says nothing.
bool waits_for_disks(const Signals& seen, const Targets& targets) {
  if (const auto wait = seen.process_io_wait_if_known()) return *wait >= targets.io_pressure;
  constexpr double kIoWait = 0.10, kOneCpu = 1.0;
  return seen.io_pressure >= targets.io_pressure || seen.io_wait >= kIoWait ||
         seen.io_wait * seen.cpus >= kOneCpu;
}

bool workers_are_busy(const Signals& seen, const Targets& targets) {
  if (seen.is_watching > 0) return seen.workers >= 0.5 && seen.worker_cpu >= targets.worker_cpu;
  // Each GPU has a thread that may wait for it at full speed.
  constexpr double kBesideThese = 1.5;
  return seen.hot_cores >= seen.gpus + kBesideThese;
}

bool one_thread_is_hot(const Signals& seen, const Targets& targets) {
  if (seen.is_watching > 0 && seen.thread > 0) return seen.thread >= targets.hot_thread;
  constexpr double kTheRestIsIdle = 0.4;
  return seen.hottest_core >= targets.hot_thread && seen.mean_core <= kTheRestIsIdle;
}

// A checkpoint: nothing that a loader could do about it.
bool mostly_writes(const Signals& seen) {
  constexpr double kLeast = 10e6, kTimesRead = 4;
  return seen.writes >= kLeast && seen.writes >= kTimesRead * seen.reads;
}

LowUseCause disk(const Signals& seen) {
  LowUseCause cause{kind::kDisk,
                    "its data comes from disks that cannot keep up",
                    "keep the data on a local disk or in memory, read larger files in sequence "
                    "(WebDataset, tar shards), and give the loader more workers",
                    Status::suspected,
                    {}};
  if (mostly_writes(seen)) {
    cause.writes = true;
    cause.because = fmt::format("it waits while {}/s are written to disks",
                                base::format_bytes(static_cast<int64_t>(seen.writes)));
    cause.fix =
        "write checkpoints less often, in the background (torch.distributed.checkpoint."
        "async_save), or to a faster disk";
  }
  cause.evidence.push_back(evidence_of(metric::kIoPressure, seen.io_pressure));
  cause.evidence.push_back(evidence_of(metric::kIoWait, seen.io_wait));
  if (const auto wait = seen.process_io_wait_if_known()) {
    cause.evidence.push_back(evidence_of(metric::kProcessIoWait, *wait));
  }
  return cause;
}

LowUseCause loading(const Signals& seen, const Targets& targets) {
  const bool has_cpus = seen.cpu_busy < targets.cpu_busy.high;
  LowUseCause cause{kind::kLoading,
                    "it waits for its data",
                    has_cpus ? "more loader workers (CPUs are free), prefetching further ahead, "
                               "pinned memory; then less work a sample"
                             : "less work a sample: prepare the data once, decode on the GPU "
                               "(DALI), smaller inputs; no CPU is free for more workers",
                    Status::suspected,
                    {}};
  constexpr double kAlike = 0.1;
  const auto told = seen.loading_if_told();
  if (told && *told >= targets.loading_share) {
    const double least = seen.least_loading / seen.knows_loading;
    if (*told - least > kAlike) {
      cause.because = fmt::format("the loops wait {} to {} of their time for a batch",
                                  percent(least), percent(*told));
    } else {
      cause.because =
          fmt::format("its steps wait {} of their time for a batch", percent((*told + least) / 2));
      cause.status = Status::measured;
    }
    cause.evidence.push_back(evidence_of(metric::kLoadingOfStep, *told));
  } else if (seen.is_watching > 0) {
    cause.because = fmt::format("the {:.0f} worker{} beside it use{} {} of a CPU each",
                                seen.workers, seen.workers < 1.5 ? "" : "s",
                                seen.workers < 1.5 ? "s" : "", percent(seen.worker_cpu));
  } else {
    cause.because = fmt::format("{:.0f} CPUs are at work all the time", seen.hot_cores);
  }
  if (seen.is_watching > 0) {
    cause.evidence.push_back(evidence_of(metric::kWorkerCpu, seen.worker_cpu));
  }
  cause.evidence.push_back(evidence_of(metric::kCpuBusy, seen.cpu_busy));
  return cause;
}

LowUseCause host_bound(const Signals& seen) {
  const bool by_thread = seen.is_watching > 0 && seen.thread > 0;
  const double share = by_thread ? seen.thread : seen.hottest_core;
  LowUseCause cause{kind::kHostBound,
                    fmt::format("one {} is at work for {} of the time, and the GPU waits for it",
                                by_thread ? "thread of the process" : "CPU", percent(share)),
                    "fewer, larger kernels: a larger batch, CUDA graphs, torch.compile; take "
                    "logging, .item() and work on the CPU out of the loop; load data in workers",
                    Status::suspected,
                    {}};
  cause.evidence.push_back(
      evidence_of(by_thread ? metric::kBusiestThread : metric::kHottestCore, share));
  return cause;
}

const char* fix_of_bursts(bool among_others, bool is_training) {
  if (among_others) {
    return "overlap communication with the backward pass, balance the work between GPUs, check the "
           "network between machines (NCCL_DEBUG=INFO)";
  }
  return is_training
             ? "look at what the loop does now and then: loader workers that start for each "
               "epoch (persistent_workers=True), checkpoints, evaluations; else record a "
               "trace of a few steps"
             : "a service that waits for requests does so; else record a trace of a few "
               "steps: it shows what the GPU waits for";
}

LowUseCause synchronisation(const Signals& seen) {
  const bool among_others = seen.gpus > 1 && seen.is_training > 0;
  LowUseCause cause{kind::kSynchronisation,
                    among_others ? "it works in bursts and waits for others in between"
                                 : "it works in bursts, with nothing seen in between",
                    fix_of_bursts(among_others, seen.is_training > 0),
                    Status::suspected,
                    {}};
  cause.evidence.push_back(evidence_of(metric::kBusySpread, seen.swing));
  return cause;
}

}  // namespace

std::vector<double> signals_of_low_use(const GpuState& gpu, const Facts& facts) {
  const Signals seen = signals_of(gpu, facts);
  std::vector<double> numbers;
  for (const auto signal : kSignals) numbers.push_back(seen.*signal);
  return numbers;
}

std::string_view kind_of_low_use(std::span<const double> signals, const Targets& targets) {
  const Signals seen = from(signals);
  const bool disks = waits_for_disks(seen, targets);
  const bool workers = workers_are_busy(seen, targets);
  if (const auto told = seen.loading_if_told()) {  // the loop itself says whether it waits for data
    constexpr double kOfTheIdleTime = 0.4;
    const bool waits = *told >= targets.loading_share && *told >= kOfTheIdleTime * seen.idle;
    const bool by_disks = disks && !workers && !mostly_writes(seen);
    if (waits) return by_disks ? kind::kDisk : kind::kLoading;
    if (disks && mostly_writes(seen)) return kind::kDisk;
  } else {
    if (workers) return kind::kLoading;
    if (disks) return kind::kDisk;
  }
  constexpr double kFewestTurns = 3;
  const bool swings = seen.swing >= targets.swing && seen.turns >= kFewestTurns;
  const bool hot = one_thread_is_hot(seen, targets);
  if (hot && !(swings && seen.gpus > 1)) return kind::kHostBound;
  return swings ? kind::kSynchronisation : kind::kLowUse;
}

LowUseCause told_low_use(std::string_view id, std::span<const double> signals,
                         const Targets& targets) {
  const Signals seen = from(signals);
  if (id == kind::kDisk) return disk(seen);
  if (id == kind::kLoading) return loading(seen, targets);
  if (id == kind::kHostBound) return host_bound(seen);
  if (id == kind::kSynchronisation) return synchronisation(seen);
  return {kind::kLowUse,
          "",
          "record a trace of a few steps: it shows what the GPU waits for",
          Status::unexplained,
          {}};
}

}  // namespace batchscope::watch
