#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "batchscope/base/diagnostic.hpp"
#include "batchscope/base/result.hpp"
#include "batchscope/base/system_root.hpp"
#include "batchscope/gpu/gpus.hpp"
#include "batchscope/host/cgroup.hpp"
#include "batchscope/host/counters.hpp"
#include "batchscope/host/fitness.hpp"
#include "batchscope/host/machine.hpp"
#include "batchscope/host/memory_limiter.hpp"
#include "batchscope/host/threads.hpp"
#include "batchscope/host/topology.hpp"

namespace batchscope::doctor {

// missing: something that is not installed or not permitted, and that a user can get.
// info: neither good nor bad.
enum class CheckStatus { ok, warning, missing, info };
std::string_view to_string(CheckStatus status);

// One line of the doctor's answer. `where`: what of the machine it is about, stable, for machines:
// cpu, threads, memory, ...; `what`: what the value means for measuring, one sentence.
struct Check : base::Diagnostic<std::string> {
  Check() = default;
  Check(std::string about, CheckStatus found, std::string reading, std::string meaning,
        std::string mended_by)
      : Diagnostic{std::move(meaning), std::move(about), std::move(mended_by)},
        status(found),
        value(std::move(reading)) {}

  CheckStatus status = CheckStatus::info;
  std::string value;  // "2 cores", "madvise"
};

// Everything the checks look at, gathered first so that judging is pure.
struct DoctorFacts {
  host::Topology topology;
  host::Platform platform;
  host::MemoryInfo memory;
  host::ThreadChoice threads;
  host::Cgroups cgroups;
  std::optional<host::CpuQuota> cpu_quota;
  std::optional<host::CgroupMemoryLimit> memory_limit;
  host::MemoryLimitKind worker_limit =
      host::MemoryLimitKind::rlimit_data;  // what would hold a worker to its limit
  std::string worker_limit_explanation;
  host::FitnessSnapshot now;
  host::PerfAccess perf;
  host::ClockSource clock;
  base::Result<std::string> cuda = base::Error{};
};

// Looks at the machine. Takes milliseconds; makes and removes one empty cgroup to see whether it
// may, and opens and closes two perf counters.
DoctorFacts gather_doctor_facts(const base::SystemRoot& root, const host::CpuList& affinity,
                                const host::ProcessEnvironment& environment);

// Judges the facts, in the order to be printed.
std::vector<Check> doctor_checks(const DoctorFacts& facts, const gpu::Gpus& gpus);

// Whether to measure here, in one or two lines: what disturbs measurements and what to do about it,
// and what is missing.
std::string doctor_answer(const std::vector<Check>& checks);

}  // namespace batchscope::doctor
