#include "batchscope/doctor/doctor.hpp"

#include <gmock/gmock.h>

#include <set>

#include "testing/machines/fixture_root.hpp"

namespace batchscope::doctor {
namespace {

using ::testing::HasSubstr;

// Facts of a machine where everything is as it should be.
DoctorFacts healthy() {
  DoctorFacts facts;
  facts.topology = host::read_topology(host::FixtureRoot("xeon_2s").root());
  facts.threads = host::default_threads(facts.topology, {}, {}, {});
  facts.memory = {int64_t{64} << 30, int64_t{60} << 30};
  facts.cgroups.cpu.version = facts.cgroups.memory.version = host::CgroupVersion::v2;
  facts.worker_limit = host::MemoryLimitKind::cgroup_v2;
  facts.now.total_ns = 1'000'000'000'000;
  facts.now.steal_ns = 0;
  facts.now.throttling = host::Throttling{};
  facts.now.load_average = 0.1;
  facts.now.governor = "performance";
  facts.now.huge_pages = "madvise";
  facts.perf.hardware = facts.perf.software = true;
  facts.clock = {"tsc", {"tsc"}, true};
  facts.cuda = std::string("13.0");
  return facts;
}

Check find(const DoctorFacts& facts, const std::string& name, const gpu::Gpus& gpus) {
  for (const Check& check : doctor_checks(facts, gpus)) {
    if (check.where == name) return check;
  }
  ADD_FAILURE() << "no check " << name;
  return {};
}

Check find(const DoctorFacts& facts, const std::string& name) {
  return find(facts, name, *gpu::absent_gpus("no driver", "install it"));
}

TEST(Doctor, AHealthyMachineHasNothingToMend) {
  const auto gpus = gpu::open_gpus(FAKE_NVML);
  for (const Check& check : doctor_checks(healthy(), *gpus)) {
    if (check.where.starts_with("gpu")) continue;
    EXPECT_TRUE(check.status == CheckStatus::ok || check.status == CheckStatus::info)
        << check.where << ": " << check.value;
  }
}

TEST(Doctor, EveryCheckHasItsOwnNameAValueAndAWord) {
  std::set<std::string> names;
  const auto gpus = gpu::open_gpus(FAKE_NVML);
  for (const Check& check : doctor_checks(healthy(), *gpus)) {
    EXPECT_TRUE(names.insert(check.where).second) << check.where;
    EXPECT_FALSE(check.value.empty()) << check.where;
    EXPECT_FALSE(check.what.empty()) << check.where;
  }
}

struct Trouble {
  std::string check;
  CheckStatus status;
  void (*cause)(DoctorFacts&);
};

class DoctorTrouble : public ::testing::TestWithParam<Trouble> {};

TEST_P(DoctorTrouble, IsFoundWithAFix) {
  DoctorFacts facts = healthy();
  GetParam().cause(facts);
  const Check check = find(facts, GetParam().check);
  EXPECT_EQ(check.status, GetParam().status) << check.value;
  EXPECT_FALSE(check.fix.empty());
}

constexpr auto kWarning = CheckStatus::warning;
constexpr auto kMissing = CheckStatus::missing;

INSTANTIATE_TEST_SUITE_P(
    All, DoctorTrouble,
    ::testing::Values(
        Trouble{"memory", kWarning, [](DoctorFacts& f) { f.memory.available_bytes = 1 << 20; }},
        Trouble{"cpu-quota", kWarning,
                [](DoctorFacts& f) {
                  f.cpu_quota = host::CpuQuota{0.5, "/g"};
                }},
        Trouble{"worker-memory-limit", kMissing,
                [](DoctorFacts& f) { f.worker_limit = host::MemoryLimitKind::rlimit_data; }},
        Trouble{"steal", kWarning, [](DoctorFacts& f) { f.now.steal_ns = 20'000'000'000; }},
        Trouble{"throttling", kWarning,
                [](DoctorFacts& f) {
                  f.now.throttling = {9, 1, 1};
                }},
        Trouble{"load", kWarning, [](DoctorFacts& f) { f.now.load_average = 0.3; }},
        Trouble{"governor", kWarning, [](DoctorFacts& f) { f.now.governor = "schedutil"; }},
        Trouble{"huge-pages", kWarning, [](DoctorFacts& f) { f.now.huge_pages = "never"; }},
        Trouble{"clock", kWarning, [](DoctorFacts& f) { f.clock.current = "hpet"; }},
        Trouble{"perf-counters", kMissing, [](DoctorFacts& f) { f.perf.hardware = false; }},
        Trouble{"perf-counters", kMissing, [](DoctorFacts& f) { f.perf = {}; }},
        Trouble{"cuda", kMissing,
                [](DoctorFacts& f) {
                  f.cuda = base::Error{{}, "no libcuda", "", "get it"};
                }},
        Trouble{"nvml", kMissing, [](DoctorFacts&) {}}));

TEST(Doctor, QuotaAndMemoryLimitAreReported) {
  DoctorFacts facts = healthy();
  facts.cpu_quota = host::CpuQuota{3, "/sys/fs/cgroup/pod"};
  facts.memory_limit = host::CgroupMemoryLimit{int64_t{8} << 30, "/sys/fs/cgroup/pod"};
  EXPECT_EQ(find(facts, "cpu-quota").value, "3.00 CPUs");
  EXPECT_EQ(find(facts, "memory-limit").value, "8.00 GiB");
  EXPECT_THAT(find(facts, "memory-limit").what, HasSubstr("/sys/fs/cgroup/pod"));
}

TEST(Doctor, ThreadsCarryTheirReason) {
  EXPECT_THAT(find(healthy(), "threads").what, HasSubstr("8 physical cores; on CPUs 0-7"));
}

TEST(Doctor, CachesAreListed) {
  EXPECT_EQ(find(healthy(), "caches").value, "L1d 48.0 KiB x 8, L2 2.00 MiB x 8, L3 45.0 MiB x 2");
}

TEST(Doctor, TheParanoidSettingIsNamedWhenItIsTheCause) {
  DoctorFacts facts = healthy();
  facts.perf = {false, false, 4, "Permission denied"};
  EXPECT_THAT(find(facts, "perf-counters").what, HasSubstr("perf_event_paranoid is 4"));
}

TEST(Doctor, GpusThatAreBusySlowOrLost) {
  const auto gpus = gpu::open_gpus(FAKE_NVML);
  EXPECT_EQ(find(healthy(), "nvml", *gpus).value, "driver 580.65.06");
  EXPECT_EQ(find(healthy(), "gpu0", *gpus).status, CheckStatus::warning);
  EXPECT_THAT(find(healthy(), "gpu0", *gpus).what, HasSubstr("power cap"));
  EXPECT_EQ(find(healthy(), "gpu1", *gpus).status, CheckStatus::ok);
  EXPECT_THAT(find(healthy(), "gpu2", *gpus).value, HasSubstr("does not answer"));
}

TEST(Doctor, GathersFromAFixture) {
  host::FixtureRoot fixture("xeon_2s");
  const host::ProcessEnvironment environment{{"PATH", "relative:/usr/bin:/opt/bin"}};
  const DoctorFacts facts = gather_doctor_facts(fixture.root(), {0, 1}, environment);
  EXPECT_EQ(facts.threads.threads, 2);
  EXPECT_EQ(facts.worker_limit, host::MemoryLimitKind::rlimit_data);
  EXPECT_EQ(facts.now.governor, "powersave");
  EXPECT_EQ(facts.clock.current, "tsc");
}

TEST(Doctor, AnEmptyRootStillAnswers) {
  const host::FixtureRoot empty;
  const DoctorFacts facts = gather_doctor_facts(empty.root(), {}, {});
  EXPECT_GT(doctor_checks(facts, *gpu::absent_gpus("", "")).size(), 15U);
}

TEST(Doctor, StatusWords) {
  EXPECT_EQ(to_string(CheckStatus::ok), "ok");
  EXPECT_EQ(to_string(CheckStatus::missing), "missing");
}

TEST(DoctorAnswer, LeadsWithWhatDisturbsAndWhatIsMissing) {
  EXPECT_EQ(doctor_answer({{"memory", CheckStatus::ok, "60 GiB", "enough is free", ""}}),
            "No disturbance found.\n");
  EXPECT_EQ(doctor_answer({{"load", CheckStatus::warning, "3.10", "other work", "stop it"},
                           {"cuda", CheckStatus::missing, "none", "", "install it"}}),
            "Disturbed: load: 3.10. Missing: cuda.\n  load: stop it\n");
}

}  // namespace
}  // namespace batchscope::doctor
