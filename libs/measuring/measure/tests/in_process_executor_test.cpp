#include "batchscope/measure/in_process_executor.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "batchscope/engines/synthetic.hpp"
#include "fake_executor.hpp"
#include "testing/engines/stub_engine.hpp"

namespace batchscope::measure {
namespace {

schema::RunFile measured(Job job) {
  const auto executor = make_in_process_executor(engines::load_synthetic, ModelReuse::never);
  MemorySink sink;
  Session session(std::move(job), {*executor, sink, nullptr, {}});
  EXPECT_TRUE(run(session));
  return sink.run;
}

constexpr char kQuiet[] =
    "affine:5ms,2ms;process_sd=0;visit_sd=0;iteration_sd=0;warmup=0;load=100ms";

TEST(InProcess, TheLawComesOutAsItWentIn) {
  for (const schema::Visit& visit : measured(job_of({1, 4}, kQuiet)).visits) {
    const int64_t truth = visit.config == 0 ? 7'000'000 : 13'000'000;
    ASSERT_FALSE(visit.samples_ns.empty());
    for (const int64_t sample : visit.samples_ns) EXPECT_EQ(sample, truth);
    EXPECT_EQ(visit.load_ns, 100'000'000);
    EXPECT_EQ(visit.clock, schema::ClockKind::virtual_time);
    EXPECT_FALSE(visit.usage.minor_faults);
    EXPECT_FALSE(visit.usage.wait_ns);
  }
}

TEST(InProcess, AVisitIsAsLongAsItsParts) {
  const auto run = measured(job_of({1}, kQuiet));
  for (const schema::Visit& visit : run.visits) {
    int64_t parts = visit.load_ns;
    for (const int64_t time : visit.warmup_ns) parts += time;
    for (const int64_t time : visit.samples_ns) parts += time;
    EXPECT_EQ(visit.wall_ns, parts);
  }
  EXPECT_GT(run.end->iteration_s, 0.6 * run.end->wall_s);
}

TEST(InProcess, TimedPartsMakeUpForTheStart) {
  Job job =
      job_of({1}, "affine:5ms,2ms;load=1000ms;process_sd=0;visit_sd=0;iteration_sd=0;warmup=0");
  const auto amortised = measured(job);
  EXPECT_GE(amortised.visits[0].samples_ns.size() * 7, 1600u);
  EXPECT_GT(amortised.end->iteration_s, 0.6 * amortised.end->wall_s);
  job.header.plan.timed_over_startup = 0;
  EXPECT_EQ(measured(job).visits[0].samples_ns.size(), 36u);  // 0.25 s
}

TEST(InProcess, PhasesAreThoseOfTheTimedIterations) {
  const schema::Visit visit = measured(job_of({1}, kQuiet)).visits[0];
  ASSERT_EQ(visit.phases.size(), 3u);
  EXPECT_EQ(visit.phases[0].name, "prepare");
  EXPECT_EQ(visit.phases[1].name, "forward");
  EXPECT_EQ(visit.phases[1].count, static_cast<int64_t>(visit.samples_ns.size()));
}

TEST(InProcess, ProcessesDiffer) {
  const auto run = measured(job_of({1}, "affine:5ms,2ms;visit_sd=0;iteration_sd=0;warmup=0"));
  std::set<int64_t> times;
  for (const schema::Visit& visit : run.visits) times.insert(visit.samples_ns[0]);
  EXPECT_EQ(times.size(), run.visits.size());
}

TEST(InProcess, OutOfMemoryIsAnEvent) {
  const auto run = measured(job_of({1, 8}, "affine:5ms,2ms;oom_above=4"));
  EXPECT_EQ(run.visits.size(), 12u);
  ASSERT_FALSE(run.events.empty());
  EXPECT_EQ(run.events[0].kind, schema::EventKind::out_of_memory);
  EXPECT_FALSE(run.events[0].fix.empty());
}

// Counts what is loaded, and runs nothing.
class CountingEngine final : public engine::StubEngine {
 public:
  CountingEngine(std::string name, std::vector<std::string>& loaded)
      : name_(std::move(name)), loaded_(loaded) {}
  std::string_view name() const override { return name_; }
  base::Result<std::unique_ptr<engine::Model>> load(const engine::ModelSpec&,
                                                    const engine::ExecutionSpec&) override {
    loaded_.push_back(name_);
    return base::Error{base::ErrorKind::failed, "loaded by " + name_, "", ""};
  }

 private:
  std::string name_;
  std::vector<std::string>& loaded_;
};

// One process may serve several engines (isolation block): a model is never another engine's.
TEST(InProcess, AModelIsKeptForTheEngineThatLoadedIt) {
  constexpr char kKept[] = "affine:5ms,2ms;process_sd=0;visit_sd=0;iteration_sd=0;warmup=0";
  std::vector<std::string> loaded;
  const auto executor = make_in_process_executor(
      [&](std::string_view name) -> base::Result<std::unique_ptr<engine::Engine>> {
        if (name == "synthetic") return engines::load_synthetic(name);
        return std::unique_ptr<engine::Engine>(
            std::make_unique<CountingEngine>(std::string(name), loaded));
      },
      ModelReuse::keep);
  const Job job = job_of({2}, kKept);
  VisitRequest request;
  request.run = job.configs.front();
  request.model = job.models.at(kKept);
  const auto first = executor->visit(request, {});
  ASSERT_TRUE(first && std::holds_alternative<schema::Visit>(*first));
  request.run.engine = "another";
  const auto second = executor->visit(request, {});
  ASSERT_TRUE(second);
  EXPECT_TRUE(std::holds_alternative<VisitFailure>(*second));
  EXPECT_EQ(loaded, std::vector<std::string>{"another"});
}

TEST(InProcess, SyncEndRecordsSeries) {
  Job job = job_of({1}, kQuiet);
  job.header.plan.sync = schema::Sync::end;
  job.header.plan.iterations = 30;
  const schema::Visit visit = measured(job).visits[0];
  EXPECT_EQ(visit.samples_ns, std::vector<int64_t>(3, 7'000'000));
  EXPECT_EQ(visit.iterations_per_sample, 10);
}

TEST(InProcess, KeptModelsAreLoadedOnce) {
  const auto executor = make_in_process_executor(engines::load_synthetic, ModelReuse::keep);
  MemorySink sink;
  Session session(job_of({1, 2}, kQuiet), {*executor, sink, nullptr, {}});
  ASSERT_TRUE(run(session));
  EXPECT_EQ(sink.run.visits[0].load_ns, 100'000'000);
  for (std::size_t i = 1; i < sink.run.visits.size(); ++i) {
    EXPECT_EQ(sink.run.visits[i].load_ns, 0);
  }
}

TEST(InProcess, AnUnknownEngineEndsTheRun) {
  Job job = job_of({1});
  job.configs[0].engine = "absent";
  const auto executor = make_in_process_executor(engines::load_synthetic, ModelReuse::never);
  MemorySink sink;
  Session session(std::move(job), {*executor, sink, nullptr, {}});
  EXPECT_FALSE(run(session));
}

}  // namespace
}  // namespace batchscope::measure
