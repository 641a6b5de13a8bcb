#include "low_use.hpp"

#include <fmt/format.h>

#include <array>
#include <span>

#include "batchscope/base/units.hpp"
#include "batchscope/findings/wording.hpp"
#include "rules.hpp"
#include "signals.hpp"

namespace batchscope::watch {
namespace {

using findings::evidence_of;
using findings::Metric;
using findings::percent;
using findings::Status;

constexpr Metric kBusySpread{"gpu_busy_spread", "Standard deviation of gpu_busy."};
constexpr Metric kLoadingOfStep{"loading_of_step",
                                "Share of the step time spent waiting for the batch."};
constexpr Metric kWorkerCpu{"worker_cpu", "CPU share of each process besides the training."};
constexpr Metric kBusiestThread{"busiest_thread", "CPU share of the busiest thread."};
constexpr Metric kHottestCore{"hottest_core",
                              "Share of the window in which the busiest CPU was busy."};
constexpr Metric kIoPressure{"io_pressure",
                             "Share of the window in which a thread waited for disks."};
constexpr Metric kIoWait{"io_wait", "Share of CPU time that was idle, waiting for disks."};
constexpr Metric kProcessIoWait{"process_io_wait",
                                "Share of the window in which the process waited for disks."};

// Of all CPUs, where neither pressure nor processes tell.
constexpr double kIoWaitOfCpus = 0.10;

constexpr double least_busy(const Targets& by) {
  return by.gpu_busy.low;
}

constexpr Prose kByBusy{"medium; high if the GPU is busy less than {%} of the time", kMostIsLost};
constexpr Prose kOfTraining{
    "low if no training loop reports steps, because a service with few requests measures the same; "
    "else medium, high if the GPU is busy less than {%} of the time",
    kMostIsLost};

constexpr Kind kLoading{
    Row("monitor.loading", "A GPU waits for its data",
        Prose("The GPU is busy less than {%} of the time. The steps wait at least {%} of their "
              "time for a batch, and this wait explains much of the idle time (measured). If no "
              "loop reports its wait: each worker process uses at least {%} of a CPU, or several "
              "CPUs are always busy (suspected).",
              least_busy, &Targets::loading_share, &Targets::worker_cpu),
        "Use more loader workers if CPUs are free, and prefetching. Otherwise do less work per "
        "sample.",
        kByBusy, metrics(&metric::kGpuBusy, &kLoadingOfStep, &kWorkerCpu, &metric::kCpuBusy)),
    140, Role::why_idle, ids("monitor.headroom", "monitor.power-cap")};

constexpr Kind kDisk{
    Row("monitor.disk", "A GPU waits for disks",
        Prose("The GPU is busy less than {%} of the time. Threads wait for disks at least {%} of "
              "the time (pressure, or delay accounting), or {%} of the CPU time is iowait. The "
              "loader's workers do not compute. If writes are at least four times the reads, the "
              "finding names checkpoints.",
              least_busy, &Targets::io_pressure, kIoWaitOfCpus),
        "Keep the data on a local disk or in memory, use larger files and more workers.", kByBusy,
        metrics(&metric::kGpuBusy, &kIoPressure, &kIoWait, &kProcessIoWait)),
    150, Role::why_idle, kLoading.explains_here};

constexpr Kind kHostBound{
    Row("monitor.host-bound", "A GPU waits for one CPU thread",
        Prose("The GPU is busy less than {%} of the time. One thread of its process is busy at "
              "least {%} of the time (one CPU, if no process is watched). Neither workers nor "
              "disks explain it.",
              least_busy, &Targets::hot_thread),
        "Launch fewer, larger kernels, and move CPU work out of the loop.", kOfTraining,
        metrics(&metric::kGpuBusy, &kBusiestThread, &kHottestCore)),
    160, Role::why_idle};

constexpr Kind kSynchronisation{
    Row("monitor.synchronisation", "A GPU works in bursts",
        Prose("The GPU is busy less than {%} of the time. Its readings swing at least three times "
              "per window (standard deviation of {%} or more). Neither data nor the host explain "
              "it: it waits for other GPUs or machines.",
              least_busy, &Targets::swing),
        "Overlap communication, balance the work, check the network.", kOfTraining,
        metrics(&metric::kGpuBusy, &kBusySpread)),
    170, Role::why_idle};

constexpr Kind kLowUse{
    Row("monitor.low-use", "A GPU has low utilization for an unknown reason",
        Prose("The GPU is busy less than {%} of the time, and no other signal explains it. A "
              "service with few requests measures the same.",
              least_busy),
        "Record a trace of a few steps.", kOfTraining, metrics(&metric::kGpuBusy)),
    250, Role::unsure_why};

// A share of all CPUs says little on a large machine: one that always waits says enough.
// Where the wait of the processes that are watched is known, that of others says nothing.
bool waits_for_disks(const Signals& seen, const Targets& targets) {
  if (const auto wait = seen.process_io_wait_if_known()) return *wait >= targets.io_pressure;
  constexpr double kOneCpu = 1.0;
  return seen.io_pressure >= targets.io_pressure || seen.io_wait >= kIoWaitOfCpus ||
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
  LowUseCause cause{&kDisk,
                    "the disks are too slow for its data",
                    "keep the data on a local disk or in memory, read larger files in sequence "
                    "(WebDataset, tar shards), and give the loader more workers",
                    Status::suspected,
                    {},
                    true};
  if (mostly_writes(seen)) {
    cause.writes = true;
    cause.because = fmt::format("it waits while programs write {}/s to disks",
                                base::format_bytes(static_cast<int64_t>(seen.writes)));
    cause.fix =
        "write checkpoints less often, in the background (torch.distributed.checkpoint."
        "async_save), or to a faster disk";
  }
  cause.evidence.push_back(evidence_of(kIoPressure, seen.io_pressure));
  cause.evidence.push_back(evidence_of(kIoWait, seen.io_wait));
  if (const auto wait = seen.process_io_wait_if_known()) {
    cause.evidence.push_back(evidence_of(kProcessIoWait, *wait));
  }
  return cause;
}

LowUseCause loading(const Signals& seen, const Targets& targets) {
  const bool has_cpus = seen.cpu_busy < targets.cpu_busy.high;
  LowUseCause cause{&kLoading,
                    "it waits for data",
                    has_cpus ? "use more loader workers (CPUs are free), more prefetching and "
                               "pinned memory; then do less work per sample"
                             : "do less work per sample: prepare the data once, decode on the GPU "
                               "(DALI), or use smaller inputs; no CPU is free for more workers",
                    Status::suspected,
                    {},
                    true};
  constexpr double kAlike = 0.1;
  const auto reported = seen.loading_if_reported();
  if (reported && *reported >= targets.loading_share) {
    const double least = seen.least_loading / seen.knows_loading;
    if (*reported - least > kAlike) {
      cause.because = fmt::format("the loops wait {} to {} of their time for a batch",
                                  percent(least), percent(*reported));
    } else {
      cause.because = fmt::format("its steps wait {} of their time for a batch",
                                  percent((*reported + least) / 2));
      cause.status = Status::measured;
    }
    cause.evidence.push_back(evidence_of(kLoadingOfStep, *reported));
  } else if (seen.is_watching > 0) {
    cause.because = fmt::format("its {:.0f} worker{} use{} {} of a CPU each", seen.workers,
                                seen.workers < 1.5 ? "" : "s", seen.workers < 1.5 ? "s" : "",
                                percent(seen.worker_cpu));
  } else {
    cause.because = fmt::format("{:.0f} CPUs are always busy", seen.hot_cores);
  }
  if (seen.is_watching > 0) {
    cause.evidence.push_back(evidence_of(kWorkerCpu, seen.worker_cpu));
  }
  cause.evidence.push_back(evidence_of(metric::kCpuBusy, seen.cpu_busy));
  return cause;
}

LowUseCause host_bound(const Signals& seen) {
  const bool by_thread = seen.is_watching > 0 && seen.thread > 0;
  const double share = by_thread ? seen.thread : seen.hottest_core;
  LowUseCause cause{&kHostBound,
                    fmt::format("it waits for one {}, which is busy {} of the time",
                                by_thread ? "thread of the process" : "CPU", percent(share)),
                    "launch fewer, larger kernels: a larger batch, CUDA graphs, torch.compile; "
                    "move logging, .item() and CPU work out of the loop; load data in workers",
                    Status::suspected,
                    {}};
  cause.evidence.push_back(evidence_of(by_thread ? kBusiestThread : kHottestCore, share));
  return cause;
}

const char* fix_of_bursts(bool among_others, bool is_training) {
  if (among_others) {
    return "overlap communication with the backward pass, balance the work between GPUs, check the "
           "network between machines (NCCL_DEBUG=INFO)";
  }
  return is_training ? "check what the loop does only sometimes: starting loader workers for each "
                       "epoch (persistent_workers=True avoids it), checkpoints, evaluations; else "
                       "record a trace of a few steps"
                     : "nothing, if this is a service that waits for requests; else record a trace "
                       "of a few steps, which shows what the GPU waits for";
}

LowUseCause synchronisation(const Signals& seen) {
  const bool among_others = seen.gpus > 1 && seen.is_training > 0;
  LowUseCause cause{&kSynchronisation,
                    among_others
                        ? "it works in bursts, and waits for other GPUs or machines in between"
                        : "it works in bursts, and no signal explains the pauses",
                    fix_of_bursts(among_others, seen.is_training > 0),
                    Status::suspected,
                    {}};
  cause.evidence.push_back(evidence_of(kBusySpread, seen.swing));
  return cause;
}

}  // namespace

const Kind& kind_of_low_use(std::span<const double> signals, const Targets& targets) {
  const Signals seen = Signals::from(signals);
  const bool disks = waits_for_disks(seen, targets);
  const bool workers = workers_are_busy(seen, targets);
  if (const auto reported =
          seen.loading_if_reported()) {  // the loop itself says whether it waits for data
    constexpr double kOfTheIdleTime = 0.4;
    const bool waits =
        *reported >= targets.loading_share && *reported >= kOfTheIdleTime * seen.idle;
    const bool by_disks = disks && !workers && !mostly_writes(seen);
    if (waits) return by_disks ? kDisk : kLoading;
    if (disks && mostly_writes(seen)) return kDisk;
  } else {
    if (workers) return kLoading;
    if (disks) return kDisk;
  }
  constexpr double kFewestTurns = 3;
  const bool swings = seen.swing >= targets.swing && seen.turns >= kFewestTurns;
  const bool hot = one_thread_is_hot(seen, targets);
  if (hot && !(swings && seen.gpus > 1)) return kHostBound;
  return swings ? kSynchronisation : kLowUse;
}

LowUseCause reported_low_use(const Kind& kind, std::span<const double> signals,
                             const Targets& targets) {
  const Signals seen = Signals::from(signals);
  if (&kind == &kDisk) return disk(seen);
  if (&kind == &kLoading) return loading(seen, targets);
  if (&kind == &kHostBound) return host_bound(seen);
  if (&kind == &kSynchronisation) return synchronisation(seen);
  return {&kLowUse,
          "",
          "record a trace of a few steps, which shows what the GPU waits for",
          Status::unexplained,
          {}};
}

std::span<const Kind* const> low_use_kinds() {
  static constexpr std::array kKinds{&kLoading, &kDisk, &kHostBound, &kSynchronisation, &kLowUse};
  return kKinds;
}

Rules low_use_rules() {
  return {nullptr, {low_use_kinds().begin(), low_use_kinds().end()}};
}

}  // namespace batchscope::watch
