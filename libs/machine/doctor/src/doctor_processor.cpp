#include <utility>

#include "batchscope/base/units.hpp"
#include "doctor_checks.hpp"

namespace batchscope::doctor {
namespace {

// Below this share of free memory the kernel starts to reclaim, which shows up as noise.
constexpr double kLowMemory = 0.10;

Check system_check(const host::Platform& platform) {
  std::string value = platform.os.empty() ? "Linux" : platform.os;
  if (!platform.kernel.empty()) value += ", kernel " + platform.kernel;
  if (platform.container) value += ", in a container";
  if (!platform.virtualised) return {"system", CheckStatus::info, value, "a physical machine", ""};
  if (!platform.hypervisor.empty()) value += ", " + platform.hypervisor;
  return {"system", CheckStatus::info, value,
          "a virtual machine: hidden neighbours can take CPU time and cache", ""};
}

Check cpu_check(const host::Topology& topology) {
  const std::string model = topology.model.empty() ? "unknown CPU" : topology.model;
  return {"cpu", CheckStatus::info, model, topology.describe(), ""};
}

Check cache_check(const host::Topology& topology) {
  std::string value;
  for (const host::Cache& cache : topology.caches) {
    if (cache.type == "instruction") continue;
    if (!value.empty()) value += ", ";
    value += 'L';
    value += std::to_string(cache.level);
    value += cache.type == "data" ? "d " : " ";
    value += base::format_bytes(cache.size_bytes);
    if (cache.instances > 1) value += " x " + std::to_string(cache.instances);
  }
  if (value.empty()) {
    return {"caches", CheckStatus::info, "not visible", "the system does not report its caches",
            ""};
  }
  return {"caches", CheckStatus::info, value,
          "if activations exceed the last-level cache, they go to main memory", ""};
}

Check thread_check(const host::ThreadChoice& threads) {
  std::string explanation = threads.reason;
  if (!threads.cpus.empty()) explanation += "; on CPUs " + host::format_cpu_list(threads.cpus);
  return {"threads", CheckStatus::ok, std::to_string(threads.threads), std::move(explanation),
          "use --threads to change the number"};
}

Check memory_check(const host::MemoryInfo& memory) {
  if (!memory.total_bytes || !memory.available_bytes) {
    return {"memory", CheckStatus::info, "unknown", "/proc/meminfo does not report it", ""};
  }
  std::string value = base::format_bytes(*memory.available_bytes) + " available of " +
                      base::format_bytes(*memory.total_bytes);
  const double share =
      static_cast<double>(*memory.available_bytes) / static_cast<double>(*memory.total_bytes);
  if (share >= kLowMemory) {
    return {"memory", CheckStatus::ok, std::move(value), "enough is free", ""};
  }
  return {"memory", CheckStatus::warning, std::move(value),
          "little memory is free, so reclaim disturbs measurements",
          "stop programs that hold memory (see ps aux --sort=-rss)"};
}

}  // namespace

void check_processor(const DoctorFacts& facts, std::vector<Check>& checks) {
  checks.insert(checks.end(), {system_check(facts.platform), cpu_check(facts.topology),
                               cache_check(facts.topology), thread_check(facts.threads),
                               memory_check(facts.memory)});
}

}  // namespace batchscope::doctor
