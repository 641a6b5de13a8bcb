#include "doctor_checks.hpp"

namespace batchscope::doctor {
namespace {

Check governor_check(const host::FitnessSnapshot& now) {
  if (now.governor.empty()) {
    return {"governor", CheckStatus::info, "not visible",
            "the host or the firmware controls the CPU clock; you can set nothing here", ""};
  }
  if (now.governor == "performance") {
    return {"governor", CheckStatus::ok, now.governor, "the CPU clock stays high", ""};
  }
  return {"governor", CheckStatus::warning, now.governor,
          "the clock follows the load, so times depend on earlier work",
          "sudo cpupower frequency-set -g performance"};
}

Check huge_page_check(const host::FitnessSnapshot& now) {
  if (now.huge_pages.empty()) {
    return {"huge-pages", CheckStatus::info, "not visible",
            "the kernel reports no transparent huge page setting", ""};
  }
  if (now.huge_pages == "never") {
    return {"huge-pages", CheckStatus::warning, now.huge_pages,
            "large tensors use 4 KiB pages, which cause page faults and TLB misses",
            "echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled"};
  }
  return {"huge-pages", CheckStatus::ok, now.huge_pages,
          now.huge_pages == "always" ? "large allocations get huge pages"
                                     : "programs that ask get huge pages (torch: "
                                       "THP_MEM_ALLOC_ENABLE=1)",
          ""};
}

Check smt_check(const host::Topology& topology) {
  if (!topology.smt_active) {
    return {"smt", CheckStatus::info, "unknown", "the system does not report it", ""};
  }
  if (!*topology.smt_active) {
    return {"smt", CheckStatus::ok, "off", "every logical CPU is a core of its own", ""};
  }
  return {"smt", CheckStatus::info, "on",
          "two logical CPUs share a core; batchscope uses one thread per core by default", ""};
}

Check clock_check(const host::ClockSource& clock) {
  if (clock.current.empty()) {
    return {"clock", CheckStatus::info, "not visible", "the kernel does not report its clock", ""};
  }
  std::string value = clock.current;
  if (clock.invariant_tsc) value += *clock.invariant_tsc ? ", invariant TSC" : ", TSC may drift";
  // hpet and acpi_pm are read over a bus, in about a microsecond, and by a system call.
  const bool slow =
      clock.current == "hpet" || clock.current == "acpi_pm" || clock.current == "jiffies";
  if (slow) {
    return {"clock", CheckStatus::warning, value, "reading the clock is slow",
            "boot with tsc=reliable if the machine's TSC is sound (dmesg | grep -i tsc gives the "
            "reason)"};
  }
  return {"clock", CheckStatus::ok, value, "reading the clock takes tens of nanoseconds", ""};
}

Check perf_check(const host::PerfAccess& perf) {
  if (perf.hardware) {
    return {"perf-counters", CheckStatus::ok, "available",
            "batchscope can count instructions, cycles and cache misses", ""};
  }
  std::string value = perf.refusal.empty() ? "refused" : "refused: " + perf.refusal;
  if (perf.software) {
    return {"perf-counters", CheckStatus::missing, value,
            "no hardware counters, as in most virtual machines",
            "use a bare-metal machine, or an instance type with hardware counters"};
  }
  const std::string setting =
      perf.paranoid ? " (kernel.perf_event_paranoid is " + std::to_string(*perf.paranoid) + ")"
                    : "";
  return {"perf-counters", CheckStatus::missing, value,
          "batchscope cannot diagnose causes that need cycles or cache misses" + setting,
          "sudo sysctl kernel.perf_event_paranoid=2; in a container: --cap-add=PERFMON"};
}

}  // namespace

void check_settings(const DoctorFacts& facts, std::vector<Check>& checks) {
  checks.insert(checks.end(),
                {governor_check(facts.now), huge_page_check(facts.now), smt_check(facts.topology),
                 clock_check(facts.clock), perf_check(facts.perf)});
}

}  // namespace batchscope::doctor
