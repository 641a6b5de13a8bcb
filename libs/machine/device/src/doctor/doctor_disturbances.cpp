#include "batchscope/base/counted.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/findings/fitness_rules.hpp"
#include "batchscope/findings/wording.hpp"
#include "doctor_checks.hpp"
#include "wording.hpp"

namespace batchscope::device {
namespace {

using findings::Disturbance;
using findings::fitness_rule;

Check steal_check(const FitnessSnapshot& now) {
  if (!now.steal_ns || !now.total_ns || *now.total_ns <= 0) {
    return {"steal", CheckStatus::info, "unknown", "/proc/stat does not say", ""};
  }
  const double ratio = static_cast<double>(*now.steal_ns) / static_cast<double>(*now.total_ns);
  const std::string value = findings::percent(ratio) + " since boot";
  const findings::FitnessRule& rule = fitness_rule(Disturbance::steal);
  if (!is_unfit(rule, ratio)) {
    return {"steal", CheckStatus::ok, value, "the hypervisor leaves the CPUs to this machine", ""};
  }
  return {"steal", CheckStatus::warning, value,
          "the hypervisor gives CPU time to other guests, which shows up as noise",
          std::string(rule.fix)};
}

Check throttling_check(const FitnessSnapshot& now) {
  if (!now.throttling) {
    return {"throttling", CheckStatus::info, "not counted", "the cgroup does not count it", ""};
  }
  if (now.throttling->throttled_periods == 0) {
    return {"throttling", CheckStatus::ok, "none", "no CPU quota has throttled this group", ""};
  }
  return {"throttling", CheckStatus::warning,
          base::counted(now.throttling->throttled_periods, "period") + ", " +
              base::format_duration(base::Nanoseconds(now.throttling->throttled_ns)),
          "the CPU quota has throttled this group since it was created",
          std::string(fitness_rule(Disturbance::throttled).fix)};
}

Check load_check(const FitnessSnapshot& now) {
  if (!now.load_average) {
    return {"load", CheckStatus::info, "unknown", "/proc/loadavg does not say", ""};
  }
  const std::string value = two_decimals(*now.load_average) + " (mean of the last minute)";
  if (!is_unfit(fitness_rule(Disturbance::others_load), *now.load_average)) {
    return {"load", CheckStatus::ok, value, "little else is running", ""};
  }
  return {"load", CheckStatus::warning, value, "other work is running, or was until just now",
          "stop it (top shows which); if nothing is running any more, wait a minute"};
}

}  // namespace

void check_disturbances(const DoctorFacts& facts, std::vector<Check>& checks) {
  checks.push_back(steal_check(facts.now));
  checks.push_back(throttling_check(facts.now));
  checks.push_back(load_check(facts.now));
}

}  // namespace batchscope::device
