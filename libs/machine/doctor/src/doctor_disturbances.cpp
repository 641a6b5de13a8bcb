#include <fmt/format.h>

#include "batchscope/base/counted.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/findings/fitness_rules.hpp"
#include "batchscope/findings/wording.hpp"
#include "doctor_checks.hpp"

namespace batchscope::doctor {
namespace {

using findings::Disturbance;
using findings::fitness_rule;

Check steal_check(const host::FitnessSnapshot& now) {
  if (!now.steal_ns || !now.total_ns || *now.total_ns <= 0) {
    return {"steal", CheckStatus::info, "unknown", "/proc/stat does not report it", ""};
  }
  const double ratio = static_cast<double>(*now.steal_ns) / static_cast<double>(*now.total_ns);
  const std::string value = findings::percent(ratio) + " since boot";
  const findings::FitnessRule& rule = fitness_rule(Disturbance::steal);
  if (!is_unfit(rule, ratio)) {
    return {"steal", CheckStatus::ok, value, "the hypervisor takes no CPU time", ""};
  }
  return {"steal", CheckStatus::warning, value,
          "the hypervisor gives CPU time to other guests, which adds noise", std::string(rule.fix)};
}

Check throttling_check(const host::FitnessSnapshot& now) {
  if (!now.throttling) {
    return {"throttling", CheckStatus::info, "not counted", "the cgroup does not count it", ""};
  }
  if (now.throttling->throttled_periods == 0) {
    return {"throttling", CheckStatus::ok, "none", "the CPU quota has not throttled this cgroup",
            ""};
  }
  return {"throttling", CheckStatus::warning,
          base::counted(now.throttling->throttled_periods, "period") + ", " +
              base::format_duration(base::Nanoseconds(now.throttling->throttled_ns)),
          "the CPU quota has throttled this cgroup since its creation",
          std::string(fitness_rule(Disturbance::throttled).fix)};
}

Check load_check(const host::FitnessSnapshot& now) {
  if (!now.load_average) {
    return {"load", CheckStatus::info, "unknown", "/proc/loadavg does not report it", ""};
  }
  const std::string value = fmt::format("{:.2f}", *now.load_average) + " (mean of the last minute)";
  if (!is_unfit(fitness_rule(Disturbance::others_load), *now.load_average)) {
    return {"load", CheckStatus::ok, value, "few other programs are running", ""};
  }
  return {"load", CheckStatus::warning, value, "other programs are running, or were a moment ago",
          "stop the other programs (see top); if none is running, wait a minute"};
}

}  // namespace

void check_disturbances(const DoctorFacts& facts, std::vector<Check>& checks) {
  checks.push_back(steal_check(facts.now));
  checks.push_back(throttling_check(facts.now));
  checks.push_back(load_check(facts.now));
}

}  // namespace batchscope::doctor
