#include <string>

#include "batchscope/base/counted.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/findings/fitness_rules.hpp"
#include "doctor_checks.hpp"

namespace batchscope::doctor {
namespace {

using findings::Disturbance;
using findings::fitness_rule;

Check gpu_check(const gpu::Gpu& gpu) {
  const std::string name = "gpu" + std::to_string(gpu.index);
  if (!gpu.name) {
    return {name, CheckStatus::warning, "does not answer", "the GPU is lost or needs a reset",
            "nvidia-smi -q -i " + std::to_string(gpu.index) + "; reboot if that persists"};
  }
  std::string value = *gpu.name;
  if (gpu.memory_total_bytes) value += ", " + base::format_bytes(*gpu.memory_total_bytes);
  if (!gpu.slowdowns.empty()) {
    return {name, CheckStatus::warning, value, "slowed down: " + base::join(gpu.slowdowns, ", "),
            std::string(fitness_rule(Disturbance::gpu_clock).fix)};
  }
  if (gpu.divided) {
    return {name, CheckStatus::ok, value,
            "divided into slices (MIG); their memory and programs are not listed here", ""};
  }
  const findings::FitnessRule& shared = fitness_rule(Disturbance::gpu_shared);
  const int64_t programs = gpu.compute_processes.value_or(0);
  if (is_unfit(shared, static_cast<double>(programs))) {
    return {name, CheckStatus::warning, value, "other programs use it: " + std::to_string(programs),
            std::string(shared.fix)};
  }
  if (!gpu.compute_processes) {
    return {name, CheckStatus::ok, value, "the driver does not report whether it is free", ""};
  }
  return {name, CheckStatus::ok, value, "free", ""};
}

Check cuda_check(const base::Result<std::string>& cuda) {
  if (!cuda) return {"cuda", CheckStatus::missing, "none", cuda.error().what, cuda.error().fix};
  return {"cuda", CheckStatus::ok, *cuda, "newest CUDA version that the driver supports", ""};
}

}  // namespace

void check_gpus(const DoctorFacts& facts, const gpu::Gpus& gpus, std::vector<Check>& checks) {
  if (!gpus.available()) {
    checks.push_back({"nvml", CheckStatus::missing, "none", gpus.why_absent(), gpus.how_to_get()});
  } else {
    checks.push_back({"nvml", CheckStatus::ok,
                      "driver " + gpus.driver_version().value_or("unknown"),
                      base::counted(gpus.count(), "GPU"), ""});
  }
  for (int index = 0; index < gpus.count(); ++index) {
    checks.push_back(gpu_check(gpus.read(index)));
  }
  checks.push_back(cuda_check(facts.cuda));
}

}  // namespace batchscope::doctor
