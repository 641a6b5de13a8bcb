#pragma once

namespace batchscope::watch {

// Where a value should be.
struct TargetRange {
  double low = 0;
  double high = 1;
};

// From where on something is worth telling. Ratios run from 0 to 1; each may be set.
struct Targets {
  // Below the low end the GPU is used badly; the high end is what a well-fed training reaches.
  TargetRange gpu_busy{0.75, 0.95};
  // Below the low end the batch may grow, above the high end memory may run out.
  TargetRange gpu_memory{0.80, 0.95};
  // Below the low end there are CPUs to give to the loader; above the high end there are none.
  TargetRange cpu_busy{0.50, 0.80};
  double cpu_saturated = 0.92;  // no CPU is left for anyone
  double sm_active_low = 0.40;  // of a busy GPU: its multiprocessors have nothing to do
  double power_low = 0.45;      // of the limit, at a high clock: the same where SMs are not told
  double dram_active_high = 0.65;
  double tensor_active_low = 0.15;
  double loading_share = 0.10;   // of a step, waiting for its batch
  double worker_cpu = 0.75;      // of a CPU, that each loader worker uses
  double hot_thread = 0.90;      // of a CPU, that one thread uses
  double io_pressure = 0.20;     // of the time, in which some thread waits for disks
  double swing = 0.25;           // standard deviation of readings of busy
  double thermal_share = 0.05;   // of the time, slowed down by heat
  double hardware_share = 0.02;  // of the time, slowed down by the hardware
  double power_cap_share = 0.20;
  double quota_throttled = 0.10;
  double cpu_steal = 0.05;
  double memory_pressure = 0.10;  // of the time, in which some thread waits for memory
  double host_memory = 0.95;
  double straggler_clock = 0.08;  // below the median of the others, as a share of it
  double straggler_busy = 0.20;   // away from the median of the others
  double link_share = 0.60;       // of the rate that the PCIe link had
  double replays_a_minute = 60;
};

}  // namespace batchscope::watch
