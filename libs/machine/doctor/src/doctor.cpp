#include "batchscope/doctor/doctor.hpp"

#include "batchscope/base/strings.hpp"
#include "batchscope/gpu/cuda_driver.hpp"
#include "doctor_checks.hpp"

namespace batchscope::doctor {
namespace {

// Any amount does: the group made with it stays empty.
constexpr int64_t kProbeBytes = int64_t{1} << 30;

}  // namespace

std::string_view to_string(CheckStatus status) {
  switch (status) {
    case CheckStatus::ok:
      return "ok";
    case CheckStatus::warning:
      return "warning";
    case CheckStatus::missing:
      return "missing";
    case CheckStatus::info:
      return "info";
  }
  return "";
}

DoctorFacts gather_doctor_facts(const base::SystemRoot& root, const host::CpuList& affinity,
                                const host::ProcessEnvironment& environment) {
  DoctorFacts facts;
  facts.topology = host::read_topology(root);
  facts.platform = host::read_platform(root);
  facts.memory = host::read_memory_info(root);
  facts.cgroups = host::find_cgroups(root);
  facts.cpu_quota = host::read_cpu_quota(root, facts.cgroups);
  facts.memory_limit = host::read_memory_limit(root, facts.cgroups);
  facts.threads = host::default_threads(facts.topology, affinity, facts.cpu_quota, environment);
  const host::MemoryLimiter limiter = host::MemoryLimiter::create(root, kProbeBytes);
  facts.worker_limit = limiter.kind();
  facts.worker_limit_explanation = limiter.explanation();
  facts.now = host::FitnessSampler(root, affinity).take();
  facts.perf = host::probe_perf_counters(root);
  facts.clock = host::read_clock_source(root);
  facts.cuda = gpu::cuda_driver_version();
  return facts;
}

std::vector<Check> doctor_checks(const DoctorFacts& facts, const gpu::Gpus& gpus) {
  std::vector<Check> checks;
  check_processor(facts, checks);
  check_limits(facts, checks);
  check_disturbances(facts, checks);
  check_settings(facts, checks);
  check_gpus(facts, gpus, checks);
  return checks;
}

std::string doctor_answer(const std::vector<Check>& checks) {
  std::vector<std::string> disturbing, missing, fixes;
  for (const Check& check : checks) {
    if (check.status == CheckStatus::missing) missing.push_back(check.where);
    if (check.status != CheckStatus::warning) continue;
    disturbing.push_back(check.where + ": " + check.value);
    if (!check.fix.empty()) fixes.push_back(check.where + ": " + check.fix);
  }
  std::string answer =
      disturbing.empty() ? "No disturbance found" : "Disturbed: " + base::join(disturbing, "; ");
  answer += (missing.empty() ? "." : ". Missing: " + base::join(missing, ", ") + ".") + "\n";
  for (const std::string& fix : fixes) answer += "  " + fix + "\n";
  return answer;
}

}  // namespace batchscope::doctor
