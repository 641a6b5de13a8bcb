#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/telemetry/sample.hpp"
#include "busy_history.hpp"
#include "cell.hpp"
#include "memory_history.hpp"
#include "pauses.hpp"
#include "recent.hpp"
#include "suspected_ooms.hpp"

// The last readings of a machine, as rules look at them.
namespace batchscope::watch {

enum class GpuValue {
  busy,
  memory_busy,
  sm_active,
  tensor_active,
  dram_active,
  memory_share,  // used of total
  memory_bytes,
  power_share,  // of the limit
  clock_share,  // of the maximum, while busy
  temperature,
  link_rate,  // lanes times the rate of the generation, while busy; in lanes of generation 0
  end
};
enum class HostValue {
  cpu_busy,
  iowait,
  steal,
  quota_throttled,
  cpu_pressure,
  memory_pressure,
  memory_full_pressure,
  io_pressure,
  disk_reads,  // bytes a second
  disk_writes,
  memory_share,
  memory_bytes,
  swap_bytes,
  hottest_core,
  hot_cores,  // how many are at work for 80 % of the time
  mean_core,
  end
};
// Of the processes that are watched.
enum class JobValue {
  busiest_thread,  // of those that drive GPUs
  worker_cpu,      // mean of the workers that do something, at most one CPU each
  workers,
  io_wait,  // of the process that waits longest
  reads,    // of all of them, from disks; bytes a second
  writes,
  cores,
  end
};

// Reasons to hold the clock down, by what mends them.
enum class Brake { power_cap, thermal, hardware, end };

struct GpuBucket {
  Cells<GpuValue> values;
  std::array<int64_t, static_cast<std::size_t>(Brake::end)> braked_ns{};
  int64_t covered_ns = 0;  // between the first and the last of its readings
  int64_t replays = 0;
  std::size_t processes = 0;
};
// A mean of a bucket up to here is no work.
inline constexpr double kSomeBusy = 0.05;
// Somebody has it: beyond what a driver takes of its memory, or is busy with, for itself.
bool is_in_use(std::size_t processes, const Cell& memory_share, const Cell& busy);
struct HostBucket {
  Cells<HostValue> values;
};
// Of the steps of one source that say how long they waited for their batch.
struct Waits {
  double reported_seconds = 0, loading_seconds = 0;
};
using WaitsBySource = std::map<std::string, Waits, std::less<>>;
struct JobBucket {
  Cells<JobValue> values;
  int64_t steps = 0;
  WaitsBySource waits;                    // of at most 64
  int64_t batch_low = 0, batch_high = 0;  // 0: not said
};

// What happened and does not last.
struct Event {
  int64_t count = 0;
  int64_t last_ns = 0;
};

// Counters as they were at the last reading.
struct GpuCounters {
  int64_t read_ns = 0;
  std::array<int64_t, static_cast<std::size_t>(Brake::end)> braked_ns{};
  std::optional<int64_t> replays, uncorrected;
};

// The most memory in use, as a share, since the last bucket with steps began.
struct BatchMemory {
  int64_t batch_size = 0;  // of all those steps; 0: of several sizes, or none is said
  double most = 0;
};

// By its name, "0:1": of a divided GPU (MIG).
inline bool is_slice(std::string_view gpu) {
  return gpu.find(':') != std::string_view::npos;
}

struct GpuState {
  std::string key;  // its UUID, else its index
  std::string gpu;  // "0", "0:1"
  std::string name;
  bool up = false;
  std::string why_down;
  // What is watched runs on it, or may (telemetry::may_be_theirs).
  bool is_theirs = false;
  int64_t seen_ns = 0;
  Recent<GpuBucket> recent;
  BusyHistory busy;
  MemoryHistory memory;
  SuspectedOoms full_ends;
  double memory_total = 0;  // bytes; 0: not said
  double best_link_rate = 0;
  // The most of its multiprocessors (else of its power limit) at work while steps were made, of a
  // bucket; and whether it was idle since the last.
  double worked = 0;
  bool idle_since_step = false;
  int64_t idle_since_ns = 0;  // all its buckets from here on; 0: it is busy
  std::map<int, Event> xids;
  Event uncorrected;  // errors since the first reading
  bool remap_pending = false;
  // The most memory in use, as a share, by the batch size of the steps meanwhile. Of a size that
  // followed a larger one it is not known: allocators keep what they have.
  std::map<int64_t, double> memory_by_batch;
  BatchMemory unreported_memory;
  GpuCounters last;
};

struct ProcessState {
  int64_t pid = 0;
  std::string name;
  MemoryHistory memory;
  int64_t seen_ns = 0;
};

struct JobState {
  Recent<JobBucket> recent;
  std::optional<int64_t> batch_size;  // the largest of the last bucket that has some
  int64_t largest_batch = 0;          // ever
  // Of each source's steps: batches are those of the one that takes most of the time, and not of
  // its evaluation.
  std::map<std::string, double, std::less<>> seconds_by_source;
  int64_t last_step_ns = 0;
  double last_step_seconds = 0;
  double longest_gap_seconds = 0;  // ever, from one step of any source to the next
};

class Window {
 public:
  explicit Window(int64_t length_ns);

  // True where there is something new to judge: a bucket is full, or an error happened.
  bool add(const telemetry::Sample& sample);
  void add(const telemetry::TrainingStep& step);

  int64_t now_ns() const { return now_ns_; }
  double seconds() const;  // that the full buckets span
  const std::vector<GpuState>& gpus() const { return gpus_; }
  const Recent<HostBucket>& host() const { return host_; }
  const MemoryHistory& host_memory() const { return host_memory_; }
  const JobState& job() const { return job_; }
  const std::vector<ProcessState>& processes() const { return processes_; }
  bool is_training() const;  // somebody told of steps, lately
  // Also before the newest half of it, so that it is no job that begins.
  bool has_trained() const;
  // The same without the buckets in which the loop makes no steps; absent: there are none.
  std::optional<Window> without_pauses() const;
  // The loop that ran on an idle GPU, it seems, and makes no steps since: the GPU went idle then.
  std::optional<Pauses::Stopped> loop_that_left(const GpuState& gpu) const;
  // Whether another GPU worked on when this one went idle.
  bool another_worked_on(const GpuState& gpu) const;
  // How busy a GPU was while this kind stood, without pauses; its times are those that are known.
  std::vector<BusyHistory::Part> busy_during(std::string_view kind, std::span<const Episode> times,
                                             const GpuState& gpu) const;
  // Lately, without pauses.
  std::vector<BusyHistory::Part> busy_since(int64_t from_ns, const GpuState& gpu) const;
  // After each judgement: what stood is kept of how busy GPUs were long ago.
  using KindOfGpuAt = std::function<std::string_view(const GpuState& gpu, int64_t time_ns)>;
  void settle_busy(const KindOfGpuAt& kind_at);
  double cpus() const { return cpus_; }  // that may be used; 0: not said
  bool is_watching() const { return !processes_.empty(); }

 private:
  bool add_gpu(const telemetry::GpuReading& reading, const telemetry::Sample& sample);
  void add_host(const telemetry::HostReading& reading);
  void add_processes(const telemetry::Sample& sample);
  GpuState& state_of(const telemetry::GpuReading& reading);
  void close_buckets();
  bool is_main_source(const telemetry::TrainingStep& step);
  void note_batch(int64_t batch);
  bool is_paused(std::size_t newest) const;
  bool is_paused_then(int64_t from_ns, int64_t to_ns) const;

  int64_t length_ns_;
  int64_t now_ns_ = 0;
  int64_t bucket_began_ns_ = 0;
  std::vector<int64_t> closed_at_ns_;
  std::vector<GpuState> gpus_;
  Recent<HostBucket> host_;
  double cpus_ = 0;
  MemoryHistory host_memory_;
  JobState job_;
  Pauses pauses_;
  std::vector<ProcessState> processes_;
};

}  // namespace batchscope::watch
