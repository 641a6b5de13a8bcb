#include "batchscope/measure/process_executor.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "batchscope/engines/synthetic.hpp"
#include "batchscope/host/processor_waits.hpp"
#include "batchscope/measure/in_process_executor.hpp"
#include "fake_executor.hpp"

namespace batchscope::measure {
namespace {

ProcessOptions options() {
  ProcessOptions made;
  made.worker_argv = {TEST_WORKER};
  made.timeout_ns = 60'000'000'000;
  return made;
}

VisitRequest request_for(const std::string& law, int64_t batch_size) {
  VisitRequest request;
  request.config = 3;
  request.block = 5;
  request.order = 2;
  request.attempt = 1;
  request.run.engine = "synthetic";
  request.run.model = law;
  request.run.shape.batch_size = batch_size;
  request.model.name = law;
  request.timed.fixed = 5;
  return request;
}

std::optional<schema::Visit> visit(VisitExecutor& executor, const VisitRequest& request) {
  auto outcome = executor.visit(request, {});
  EXPECT_TRUE(outcome) << (outcome ? "" : base::to_string(outcome.error()));
  if (!outcome) return std::nullopt;
  if (auto* made = std::get_if<schema::Visit>(&*outcome)) return *made;
  return std::nullopt;
}

schema::Event failure(VisitExecutor& executor, const VisitRequest& request) {
  auto outcome = executor.visit(request, {});
  EXPECT_TRUE(outcome) << (outcome ? "" : base::to_string(outcome.error()));
  if (!outcome || !std::holds_alternative<VisitFailure>(*outcome)) return {};
  return std::get<VisitFailure>(*outcome).event;
}

constexpr char kLaw[] = "affine:5ms,2ms;load=100ms";

TEST(ProcessExecutor, MakesTheSameVisitAsThisProcessWould) {
  const auto executor = make_process_executor(options());
  const auto made = visit(*executor, request_for(kLaw, 4));
  ASSERT_TRUE(made);
  const auto here = make_in_process_executor(engines::load_synthetic, ModelReuse::never);
  const auto expected = visit(*here, request_for(kLaw, 4));
  EXPECT_EQ(made->samples_ns, expected->samples_ns);
  EXPECT_EQ(made->warmup_ns, expected->warmup_ns);
  EXPECT_EQ(made->wall_ns, expected->wall_ns);
  EXPECT_EQ(made->config, 3);
  EXPECT_EQ(made->block, 5);
  EXPECT_EQ(made->order, 2);
  EXPECT_EQ(made->attempt, 1);
}

TEST(ProcessExecutor, ComparesTheOutputsOfTwoEngines) {
  const auto executor = make_process_executor(options());
  VisitRequest request = request_for(kLaw, 2);
  request.run.engine = "real";
  request.against = Against{request.run, request.model};
  const auto alike = executor->compare(request, {});
  ASSERT_TRUE(alike) << base::to_string(alike.error());
  ASSERT_TRUE(std::holds_alternative<schema::OutputDifference>(*alike));
  EXPECT_EQ(std::get<schema::OutputDifference>(*alike).values, 8);
  EXPECT_EQ(std::get<schema::OutputDifference>(*alike).largest_relative_error, 0);
  request.against->run.engine = "synthetic";  // which has no outputs
  const auto failed = executor->compare(request, {});
  ASSERT_TRUE(failed) << base::to_string(failed.error());
  ASSERT_TRUE(std::holds_alternative<VisitFailure>(*failed));
  EXPECT_EQ(std::get<VisitFailure>(*failed).event.kind, schema::EventKind::error);
}

TEST(ProcessExecutor, ACrashIsAnEventWithItsSignal) {
  const auto executor = make_process_executor(options());
  const schema::Event event = failure(*executor, request_for("affine:5ms,2ms;crash_at=4", 4));
  EXPECT_EQ(event.kind, schema::EventKind::crash);
  EXPECT_NE(event.what.find("SIGSEGV"), std::string::npos) << event.what;
  EXPECT_TRUE(visit(*executor, request_for("affine:5ms,2ms;crash_at=4", 2)));
}

TEST(ProcessExecutor, AHangEndsAtItsDeadline) {
  ProcessOptions short_ones = options();
  short_ones.timeout_ns = 300'000'000;
  const auto executor = make_process_executor(short_ones);
  const schema::Event event = failure(*executor, request_for("affine:5ms,2ms;hang_at=4", 4));
  EXPECT_EQ(event.kind, schema::EventKind::timeout);
  EXPECT_NE(event.fix.find("raise --timeout"), std::string::npos);
}

TEST(ProcessExecutor, WhatTheModelReportsIsReported) {
  const auto executor = make_process_executor(options());
  const schema::Event thrown = failure(*executor, request_for("affine:5ms,2ms;throw_at=4", 4));
  EXPECT_EQ(thrown.kind, schema::EventKind::error);
  EXPECT_NE(thrown.what.find("as requested"), std::string::npos);
  EXPECT_EQ(failure(*executor, request_for("affine:5ms,2ms;oom_above=3", 4)).kind,
            schema::EventKind::out_of_memory);
}

// Sanitizers reserve terabytes of address space, which RLIMIT_DATA counts, and keep several bytes
// of their own for each byte in use, which a cgroup counts.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif
#else
constexpr bool kSanitized = false;
#endif

TEST(ProcessExecutor, AMemoryLimitIsReal) {
  if (kSanitized) GTEST_SKIP() << "sanitizers need more memory than the model";
  ProcessOptions limited = options();
  limited.memory_limit_bytes = int64_t{256} << 20;
  const auto executor = make_process_executor(limited);
  const std::string law = "affine:5ms,2ms;allocate=100MiB";
  EXPECT_TRUE(visit(*executor, request_for(law, 1)));
  EXPECT_EQ(failure(*executor, request_for(law, 8)).kind, schema::EventKind::out_of_memory);
}

TEST(ProcessExecutor, ABlockSharesItsProcess) {
  ProcessOptions shared = options();
  shared.one_process_a_block = true;
  const auto executor = make_process_executor(shared);
  const std::string law = std::string(kLaw) + ";throw_at=8";
  EXPECT_EQ(visit(*executor, request_for(law, 1))->load_ns, 100'000'000);
  EXPECT_EQ(visit(*executor, request_for(law, 2))->load_ns, 0);
  EXPECT_EQ(failure(*executor, request_for(law, 8)).kind, schema::EventKind::error);
  EXPECT_EQ(visit(*executor, request_for(law, 4))->load_ns, 100'000'000) << "in a new process";
  executor->end_block();
  EXPECT_EQ(visit(*executor, request_for(law, 4))->load_ns, 100'000'000);
}

TEST(ProcessExecutor, AnotherEnvironmentIsAnotherProcess) {
  ProcessOptions shared = options();
  shared.one_process_a_block = true;
  const auto executor = make_process_executor(shared);
  EXPECT_EQ(visit(*executor, request_for(kLaw, 1))->load_ns, 100'000'000);
  VisitRequest other = request_for(kLaw, 1);
  other.run.environment["MALLOC_ARENA_MAX"] = "1";
  EXPECT_EQ(visit(*executor, other)->load_ns, 100'000'000);
  EXPECT_EQ(visit(*executor, other)->load_ns, 0);
}

TEST(ProcessExecutor, AFreshProcessEachOtherwise) {
  const auto executor = make_process_executor(options());
  EXPECT_EQ(visit(*executor, request_for(kLaw, 1))->load_ns, 100'000'000);
  EXPECT_EQ(visit(*executor, request_for(kLaw, 1))->load_ns, 100'000'000);
}

TEST(ProcessExecutor, AnUnknownEngineIsAnError) {
  const auto executor = make_process_executor(options());
  VisitRequest request = request_for(kLaw, 1);
  request.run.engine = "absent";
  const auto outcome = executor->visit(request, {});
  ASSERT_FALSE(outcome);
  EXPECT_NE(outcome.error().what.find("absent"), std::string::npos);
}

TEST(ProcessExecutor, AProgramThatIsNotThereIsAnError) {
  ProcessOptions wrong = options();
  wrong.worker_argv = {"/absent/worker"};
  EXPECT_FALSE(make_process_executor(wrong)->visit(request_for(kLaw, 1), {}));
}

TEST(ProcessExecutor, AProgramThatIsNoWorkerIsACrash) {
  ProcessOptions wrong = options();
  wrong.worker_argv = {"/bin/sh", "-c", "echo what am I >&2; exit 7"};
  const schema::Event event = failure(*make_process_executor(wrong), request_for(kLaw, 1));
  EXPECT_EQ(event.kind, schema::EventKind::crash);
  EXPECT_NE(event.what.find("code 7"), std::string::npos) << event.what;
  EXPECT_NE(event.what.find("what am I"), std::string::npos) << event.what;
}

TEST(ProcessExecutor, AStopKillsTheWorker) {
  const auto executor = make_process_executor(options());
  std::stop_source source;
  std::jthread stopper([&source] { source.request_stop(); });
  const auto outcome =
      executor->visit(request_for("affine:5ms,2ms;hang_at=1", 1), source.get_token());
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().kind, base::ErrorKind::interrupted);
}

class CountingProbe final : public FitnessProbe {
 public:
  void start() override { ++starts; }
  void under_load(std::string_view, int processes) override {
    ++loads;
    own_processes = processes;
  }
  schema::Fitness finish(int64_t) override {
    ++finishes;
    schema::Fitness fitness;
    fitness.steal_ratio = 0.25;
    return fitness;
  }
  int starts = 0, loads = 0, finishes = 0, own_processes = 0;
};

VisitRequest two_instances(const std::string& law) {
  VisitRequest request = request_for(law, 4);
  request.run.instances = 2;
  return request;
}

TEST(ProcessExecutor, InstancesTogetherAreTheSameVisitAsInThisProcess) {
  const std::string law = std::string(kLaw) + ";contention=0.5";
  const auto made = visit(*make_process_executor(options()), two_instances(law));
  ASSERT_TRUE(made);
  const auto here = make_in_process_executor(engines::load_synthetic, ModelReuse::never);
  const auto expected = visit(*here, two_instances(law));
  EXPECT_EQ(made->instance_samples, (std::vector<int64_t>{5, 5}));
  EXPECT_EQ(made->instance_samples, expected->instance_samples);
  EXPECT_EQ(made->instance_warmups, expected->instance_warmups);
  EXPECT_EQ(made->samples_ns, expected->samples_ns);
  EXPECT_EQ(made->warmup_ns, expected->warmup_ns);
  EXPECT_EQ(made->wall_ns, expected->wall_ns);
  EXPECT_EQ(made->config, 3);
}

TEST(ProcessExecutor, InstancesWaitForEachOtherUnderLoad) {
  CountingProbe probe;
  ProcessOptions watched = options();
  watched.fitness = &probe;
  VisitRequest request = two_instances("real");
  request.run.engine = "real";
  const auto made = visit(*make_process_executor(watched), request);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->instance_samples, (std::vector<int64_t>{5, 5}));
  EXPECT_EQ(made->clock, schema::ClockKind::steady);
  EXPECT_EQ(probe.loads, 1) << "looked at once, when all work";
  EXPECT_EQ(probe.own_processes, 2);
  EXPECT_EQ(made->phases.back().count, 10) << "untimed iterations do not count";
}

TEST(ProcessExecutor, SeriesOfInstancesAreOfOneLength) {
  VisitRequest request = two_instances("real");
  request.run.engine = "real";
  request.wait_each = false;
  request.timed.fixed.reset();
  request.timed.at_least_ns = 1'000'000;
  const auto made = visit(*make_process_executor(options()), request);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->instance_samples, (std::vector<int64_t>{3, 3}));
  EXPECT_EQ(made->phases.back().count, 6 * made->iterations_per_sample);
}

TEST(ProcessExecutor, AnInstanceThatFailsIsNamed) {
  const auto executor = make_process_executor(options());
  const schema::Event event = failure(*executor, two_instances("affine:5ms,2ms;crash_at=4"));
  EXPECT_EQ(event.kind, schema::EventKind::crash);
  EXPECT_TRUE(event.what.starts_with("instance 1 of 2: ")) << event.what;
  EXPECT_EQ(failure(*executor, two_instances("affine:5ms,2ms;oom_above=3")).kind,
            schema::EventKind::out_of_memory);
}

TEST(ProcessExecutor, MoreInstancesThanCoresAreAnError) {
  ProcessOptions pinned = options();
  pinned.cpus = {0};
  const auto outcome = make_process_executor(pinned)->visit(two_instances(kLaw), {});
  ASSERT_FALSE(outcome);
  EXPECT_NE(outcome.error().what.find("need 2 cores"), std::string::npos) << outcome.error().what;
}

TEST(ProcessExecutor, InstancesOfABlockKeepTheirProcesses) {
  ProcessOptions shared = options();
  shared.one_process_a_block = true;
  const auto executor = make_process_executor(shared);
  EXPECT_EQ(visit(*executor, two_instances(kLaw))->load_ns, 100'000'000);
  EXPECT_EQ(visit(*executor, two_instances(kLaw))->load_ns, 0);
  EXPECT_EQ(visit(*executor, request_for(kLaw, 4))->load_ns, 100'000'000) << "one alone";
}

TEST(ProcessExecutor, FitnessIsThatOfTheVisit) {
  CountingProbe probe;
  ProcessOptions watched = options();
  watched.fitness = &probe;
  const auto executor = make_process_executor(watched);
  VisitRequest request = request_for("real", 1);
  request.run.engine = "real";
  EXPECT_EQ(visit(*executor, request)->fitness.steal_ratio, 0.25);
  EXPECT_EQ(probe.starts, 1);
  EXPECT_EQ(probe.finishes, 1);
  EXPECT_EQ(probe.loads, 0) << "there is no GPU to look at";
  EXPECT_FALSE(visit(*executor, request_for(kLaw, 1))->fitness.steal_ratio)
      << "virtual time has nothing to do with this machine";
}

TEST(ProcessExecutor, AGpuIsLookedAtOnceAndTheVisitGoesOn) {
  CountingProbe probe;
  ProcessOptions watched = options();
  watched.fitness = &probe;
  VisitRequest request = request_for("real", 1);
  request.run.engine = "real";
  request.run.device = "cuda:0";
  EXPECT_TRUE(visit(*make_process_executor(watched), request));
  EXPECT_EQ(probe.loads, 1);
}

TEST(ProcessExecutor, ARealClockCountsTheProcessesStart) {
  const auto executor = make_process_executor(options());
  VisitRequest request = request_for("real", 1);
  request.run.engine = "real";
  const auto made = visit(*executor, request);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->clock, schema::ClockKind::steady);
  EXPECT_EQ(made->samples_ns.size(), 5u);
  EXPECT_GT(made->load_ns, 0);
  EXPECT_GT(made->wall_ns, made->load_ns);
  EXPECT_TRUE(made->usage.minor_faults);
  const auto waits = host::read_processor_waits(base::SystemRoot(), {});
  EXPECT_EQ(made->usage.wait_ns.has_value(), waits.threads.has_value());
  EXPECT_LE(made->usage.wait_max_thread_ns.value_or(0), made->usage.wait_ns.value_or(0));
  EXPECT_GT(made->memory.peak_rss_bytes.value_or(0), 0);
}

TEST(SystemFitnessProbe, SeesSomething) {
  const auto probe = make_system_fitness_probe(base::SystemRoot());
  probe->start();
  const schema::Fitness fitness = probe->finish(0);
  EXPECT_TRUE(!fitness.others_load || *fitness.others_load >= 0);
  EXPECT_FALSE(fitness.clock_ratio);
}

TEST(MemoryLimitChoice, SaysWhichItWouldBe) {
  const auto choice = choose_memory_limit(base::SystemRoot(), int64_t{1} << 30);
  EXPECT_TRUE(choice.kind == "cgroup-v1" || choice.kind == "cgroup-v2" ||
              choice.kind == "rlimit-data");
}

}  // namespace
}  // namespace batchscope::measure
