#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

// What a monitor saw of a machine at one moment. Base units: bytes, seconds, hertz, watts, joules,
// degrees Celsius; ratios run from 0 to 1. What the machine does not say is absent, never 0.
// "Since the monitor began" counts from its first reading of the thing, and never falls.
namespace batchscope::telemetry {

// A program on a GPU.
struct GpuProcess {
  int64_t pid = 0;  // as the driver counts: inside of a container those of the host
  std::optional<int64_t> memory_used_bytes;
  bool hidden = false;  // no process of that number can be seen from here: one outside a container
};

// Counts, or nanoseconds, under a name: an XID's number, a reason why the clock was held down.
using CountByName = std::map<std::string, int64_t>;

// One GPU, or one slice of a divided one (MIG).
struct GpuReading {
  std::string gpu;   // as nvidia-smi counts: "0"; a slice "0:1", of GPU 0 the second
  std::string uuid;  // "GPU-...", "MIG-..."; empty: not said
  std::string name;  // "NVIDIA H100 80GB HBM3"; of a slice with its profile, "... MIG 1g.10gb"
  std::string pci_bus_id;               // "00000000:65:00.0"; empty: not said
  std::optional<int64_t> gpu_instance;  // of a slice, as the driver numbers them
  // False: it does not answer, and `why_down` says so; all that is measured is absent.
  bool up = false;
  std::string why_down;  // "GPU is lost", "no answer for 5.0 s"
  // When these values were read, on the clock of Sample::time_ns; older than the sample's where a
  // reading takes longer than an interval.
  int64_t read_ns = 0;

  // The share of time in which some kernel ran, however small (NVML's utilization.gpu).
  std::optional<double> busy_ratio;
  std::optional<double> memory_busy_ratio;  // in which its memory was read or written
  // Of the time between two readings (GPM, Hopper and later), in which some engine that computes or
  // draws was at work.
  std::optional<double> graphics_active_ratio;
  // Of the cycles between them: multiprocessors with work, the warps they held of those they can,
  // tensor cores, and memory at work.
  std::optional<double> sm_active_ratio, sm_occupancy_ratio, tensor_active_ratio, dram_active_ratio;
  std::optional<double> pcie_transmit_bytes_per_second, pcie_receive_bytes_per_second;
  std::optional<double> nvlink_transmit_bytes_per_second, nvlink_receive_bytes_per_second;
  std::optional<int64_t> memory_used_bytes, memory_total_bytes;
  // By the driver for itself; what is used is without it. Older drivers count it as used.
  std::optional<int64_t> memory_reserved_bytes;
  std::optional<double> power_watts, power_limit_watts;
  std::optional<double> energy_joules_total;  // since the driver was loaded
  std::optional<double> temperature_celsius, memory_temperature_celsius;
  std::optional<double> slowdown_temperature_celsius;  // from where it slows itself down
  std::optional<double> sm_clock_hertz, max_sm_clock_hertz, memory_clock_hertz;
  // Time in which the clock was held down, by reason (`power_cap`, `thermal`, `hardware_slowdown`,
  // `power_brake`, `sync_boost`, `board_limit`, `reliability`), since the monitor began. Exact
  // where the driver counts it.
  CountByName throttle_ns_total;
  std::vector<std::string> throttle_reasons;  // now
  // Errors of memory that were corrected, and those that could not be, since the driver was loaded.
  std::optional<int64_t> ecc_corrected_errors_total, ecc_uncorrected_errors_total;
  std::optional<int64_t> remapped_rows_total;
  std::optional<bool> remap_pending;  // a reset is needed
  CountByName xid_errors_total;       // by number, since the monitor began
  std::optional<int64_t> pcie_replays_total;
  std::optional<int64_t> pcie_link_generation, pcie_link_width;
  std::vector<GpuProcess> processes;
};

// The machine, or what a container sees of it. Rates are means since the reading before.
struct HostReading {
  std::optional<int64_t> cpus;      // that may be used
  std::optional<double> cpu_limit;  // by a quota of the cgroup, in CPUs
  // Of the time of those CPUs: at work for anyone; of it in the kernel; idle because work waited
  // for disks; given to other guests by the hypervisor.
  std::optional<double> cpu_busy_ratio, cpu_system_ratio, cpu_iowait_ratio, cpu_steal_ratio;
  std::vector<double> cpu_busy_ratio_by_core;  // in the order of their numbers
  std::optional<double> cpu_throttled_ratio;   // of the periods of the quota
  std::optional<double> load_average;          // of one minute
  std::optional<int64_t> memory_used_bytes,
      memory_total_bytes;  // of the cgroup where it is limited
  std::optional<int64_t> swap_used_bytes;
  // Share of time in which some work (all work, for `full`) stood still for want of it (PSI).
  std::optional<double> pressure_cpu_some_ratio, pressure_memory_some_ratio,
      pressure_memory_full_ratio;
  std::optional<double> pressure_io_some_ratio, pressure_io_full_ratio;
  std::optional<double> disk_read_bytes_per_second, disk_write_bytes_per_second;
  std::optional<double> disk_busy_ratio;  // of the busiest
  std::optional<double> network_receive_bytes_per_second, network_transmit_bytes_per_second;
};

// A process that is watched: the one that was named or started, or a descendant of it.
struct ProcessReading {
  int64_t pid = 0, parent = 0;
  std::string name;                            // of the program; untrusted
  std::optional<double> cpu_cores;             // CPU time over wall time: 1.5 is one and a half
  std::optional<double> busiest_thread_ratio;  // of one CPU
  std::optional<int64_t> threads;
  std::optional<double> io_wait_ratio;  // of the time, waiting for disks (delay accounting)
  std::optional<int64_t> resident_bytes;
  std::optional<double> read_bytes_per_second, write_bytes_per_second;  // from and to disks
  std::optional<int64_t> gpu_memory_bytes;
};

// All of one moment.
struct Sample {
  // Since the epoch. The wall clock where the monitor began, and the steady clock from there on: it
  // never goes back.
  int64_t time_ns = 0;
  std::string gpu_absent;  // why no GPU can be seen; empty where some can
  std::vector<GpuReading> gpus;
  HostReading host;
  std::vector<ProcessReading> processes;  // empty: nobody is watched
};

// What a training loop says of a step that it has made.
struct TrainingStep {
  int64_t time_ns = 0;         // at its end, as Sample::time_ns
  std::string source;          // which loop, where several tell: the name that it gave itself
  int64_t step = 0;            // counts up; may begin anywhere
  double seconds = 0;          // that it took, the wait for its batch included
  std::optional<double> loss;  // absent: not said, or not finite
  std::string loss_word;       // "nan", "inf", "-inf"; else empty
  std::optional<double> learning_rate;
  std::optional<int64_t> batch_size;      // samples
  std::optional<double> loading_seconds;  // of `seconds`, in which it waited for its batch
  bool profiled = false;                  // its time has what a profile costs
  std::string profile_file;  // a trace of the steps up to this one, where one was recorded
  // Logs may tell each tenth step: how many it stands for, itself included, and what the others
  // took. is_alone: its time is no mean of them.
  int64_t replaces = 1;
  double others_seconds = 0;
  bool is_alone = false;

  double full_seconds() const { return seconds + others_seconds; }
};

}  // namespace batchscope::telemetry
