#include <fmt/format.h>

#include "batchscope/base/units.hpp"
#include "doctor_checks.hpp"

namespace batchscope::doctor {
namespace {

Check quota_check(const DoctorFacts& facts) {
  if (facts.cgroups.cpu.version == host::CgroupVersion::none) {
    return {"cpu-quota", CheckStatus::info, "no cgroup", "no visible cgroup hierarchy", ""};
  }
  if (!facts.cpu_quota) {
    return {"cpu-quota", CheckStatus::ok, "none (" + describe(facts.cgroups) + ")",
            "no quota throttles the program", ""};
  }
  const std::string value = fmt::format("{:.2f}", facts.cpu_quota->cpus) + " CPUs";
  if (facts.cpu_quota->cpus < 1) {
    return {"cpu-quota", CheckStatus::warning, value,
            "set by " + facts.cpu_quota->group.string() + ": it throttles even one thread",
            "raise it to at least one full CPU (docker run --cpus, the pod's CPU limit)"};
  }
  return {
      "cpu-quota", CheckStatus::info, value,
      "set by " + facts.cpu_quota->group.string() + ": it throttles more busy threads than that",
      ""};
}

Check memory_limit_check(const DoctorFacts& facts) {
  const auto& limit = facts.memory_limit;
  if (!limit) return {"memory-limit", CheckStatus::ok, "none", "no cgroup limits the memory", ""};
  return {"memory-limit", CheckStatus::info, base::format_bytes(limit->bytes),
          "set by " + limit->group.string() + ": above it, the kernel kills processes", ""};
}

Check worker_limit_check(const DoctorFacts& facts) {
  const bool cgroup = facts.worker_limit != host::MemoryLimitKind::rlimit_data;
  const std::string value(to_string(facts.worker_limit));
  if (cgroup) {
    return {"worker-memory-limit", CheckStatus::ok, value,
            "--memory-limit limits the memory in use", ""};
  }
  const bool v2 = facts.cgroups.memory.version == host::CgroupVersion::v2;
  return {
      "worker-memory-limit", CheckStatus::missing, value, facts.worker_limit_explanation,
      v2 ? "start in a delegated cgroup: systemd-run --user --scope -p Delegate=yes batchscope ..."
         : "run as root, or mount a writable cgroup memory hierarchy"};
}

}  // namespace

void check_limits(const DoctorFacts& facts, std::vector<Check>& checks) {
  checks.push_back(quota_check(facts));
  checks.push_back(memory_limit_check(facts));
  checks.push_back(worker_limit_check(facts));
}

}  // namespace batchscope::doctor
