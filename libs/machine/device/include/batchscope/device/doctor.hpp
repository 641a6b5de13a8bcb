#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "batchscope/base/remark.hpp"
#include "batchscope/base/result.hpp"
#include "batchscope/base/system_root.hpp"
#include "batchscope/device/cgroup.hpp"
#include "batchscope/device/counters.hpp"
#include "batchscope/device/fitness.hpp"
#include "batchscope/device/gpu_monitor.hpp"
#include "batchscope/device/machine.hpp"
#include "batchscope/device/memory_limiter.hpp"
#include "batchscope/device/threads.hpp"
#include "batchscope/device/topology.hpp"

namespace batchscope::device {

// missing: something that is not installed or not permitted, and that a user can get.
// info: neither good nor bad.
enum class CheckStatus { ok, warning, missing, info };
std::string_view to_string(CheckStatus status);

// One line of the doctor's answer. `where`: what of the machine it is about, stable, for machines:
// cpu, threads, memory, ...; `what`: what the value means for measuring, one sentence.
struct Check : base::Remark<std::string> {
  Check() = default;
  Check(std::string about, CheckStatus found, std::string reading, std::string meaning,
        std::string mended_by)
      : Remark{std::move(meaning), std::move(about), std::move(mended_by)},
        status(found),
        value(std::move(reading)) {}

  CheckStatus status = CheckStatus::info;
  std::string value;  // "2 cores", "madvise"
};

// Everything the checks look at, gathered first so that judging is pure.
struct DoctorFacts {
  Topology topology;
  Platform platform;
  MemoryInfo memory;
  ThreadChoice threads;
  Cgroups cgroups;
  std::optional<CpuQuota> cpu_quota;
  std::optional<CgroupMemoryLimit> memory_limit;
  MemoryLimitKind worker_limit =
      MemoryLimitKind::rlimit_data;  // what would hold a worker to its limit
  std::string worker_limit_explanation;
  FitnessSnapshot now;
  PerfAccess perf;
  ClockSource clock;
  base::Result<std::string> cuda = base::Error{};
  std::string gnuplot;  // its path; empty when PATH has none
};

// Looks at the machine. Takes milliseconds; makes and removes one empty cgroup to see whether it
// may, and opens and closes two perf counters.
DoctorFacts gather_doctor_facts(const base::SystemRoot& root, const CpuList& affinity,
                                const Environment& environment);

// Judges the facts, in the order to be printed.
std::vector<Check> doctor_checks(const DoctorFacts& facts, const GpuMonitor& gpus);

// Whether to measure here, in one or two lines: what disturbs measurements and what to do about it,
// and what is missing.
std::string doctor_answer(const std::vector<Check>& checks);

}  // namespace batchscope::device
