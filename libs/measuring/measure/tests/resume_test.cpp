#include "batchscope/measure/resume.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "batchscope/engines/synthetic.hpp"
#include "batchscope/measure/in_process_executor.hpp"
#include "fake_executor.hpp"

namespace batchscope::measure {
namespace {

constexpr char kLaw[] = "affine:5ms,2ms;visit_sd=0.02;load=0ms";

Job synthetic_job(const std::string& law = kLaw) {
  Job job = job_of({1, 2, 4}, law);
  job.header.plan.blocks = 6;
  schema::ModelInfo info;
  info.name = law;
  info.hash = "a";
  job.header.models.push_back(info);
  return job;
}

Present present_of(const Job& job) {
  return {job.header.machine, job.header.models, job.models, job.header.versions};
}

schema::RunFile play(Session& session, MemorySink& sink) {
  const auto end = run(session);
  EXPECT_TRUE(end);
  return sink.run;
}

schema::RunFile uninterrupted(const Job& job) {
  const auto executor = make_in_process_executor(engines::load_synthetic, ModelReuse::never);
  MemorySink sink;
  Session session(job, {*executor, sink, nullptr, {}});
  return play(session, sink);
}

// What a file holds that was cut after `visits` visits (with the events before them).
schema::RunFile cut(schema::RunFile run, std::size_t visits) {
  run.visits.resize(visits);
  run.end.reset();
  std::erase_if(run.events, [&](const schema::Event& event) {
    return visits == 0 || event.where.block.value_or(0) > run.visits.back().block;
  });
  return run;
}

schema::RunFile resumed(const Job& job, schema::RunFile run) {
  auto accepted = resume(std::move(run), present_of(job), false);
  EXPECT_TRUE(accepted);
  const auto executor = make_in_process_executor(engines::load_synthetic, ModelReuse::never);
  MemorySink sink;
  sink.run = accepted->recorded;
  Session session(accepted->job, accepted->recorded, {*executor, sink, nullptr, {}});
  return play(session, sink);
}

using Times = std::map<std::pair<int, int>, std::vector<int64_t>>;

Times times_that_count(const schema::RunFile& run) {
  Times times;
  for (const schema::Visit* visit : schema::current_visits(run)) {
    EXPECT_TRUE(times.emplace(std::pair(visit->block, visit->config), visit->samples_ns).second)
        << "counted twice";
  }
  return times;
}

TEST(Resume, EqualsTheUninterruptedRunWhereverItWasCut) {
  const Job job = synthetic_job();
  const schema::RunFile full = uninterrupted(job);
  ASSERT_EQ(full.visits.size(), 18u);
  for (std::size_t visits = 0; visits <= full.visits.size(); ++visits) {
    const schema::RunFile run = resumed(job, cut(full, visits));
    EXPECT_EQ(times_that_count(run), times_that_count(full)) << "cut after " << visits;
    EXPECT_EQ(run.end->reason, full.end->reason);
    EXPECT_GE(run.visits.size(), full.visits.size());
  }
}

TEST(Resume, KeepsWhatWasMeasuredInTheBlockThatIsRepeated) {
  const Job job = synthetic_job();
  const schema::RunFile run = resumed(job, cut(uninterrupted(job), 8));
  // Two visits of block 2 stand twice: as attempt 0, superseded, and as attempt 1.
  EXPECT_EQ(run.visits.size(), 20u);
  for (const schema::Visit& visit : run.visits) {
    EXPECT_TRUE(visit.block == 2 || visit.attempt == 0);
  }
  EXPECT_EQ(run.visits[8].attempt, 1);
  EXPECT_EQ(run.visits[8].block, 2);
}

TEST(Resume, DroppedConfigurationsStayDropped) {
  const Job job = synthetic_job("affine:5ms,2ms;oom_above=2;load=0ms");
  const schema::RunFile full = uninterrupted(job);
  ASSERT_EQ(full.visits.size(), 12u);
  const schema::RunFile run = resumed(job, cut(full, 5));
  EXPECT_EQ(times_that_count(run), times_that_count(full));
  const auto failures = std::count_if(run.events.begin(), run.events.end(), [](const auto& event) {
    return event.kind == schema::EventKind::out_of_memory;
  });
  EXPECT_EQ(failures, 2);
}

TEST(Resume, TimeAlreadySpentCounts) {
  Job job = synthetic_job();
  const schema::RunFile full = uninterrupted(job);
  const schema::RunFile run = resumed(job, cut(full, 9));
  EXPECT_NEAR(run.end->wall_s, full.end->wall_s, 1e-9);
}

// A run that is killed has no end that would tell it.
TEST(Resume, TimeOfVisitsThatFailedCountsToo) {
  const Job job = synthetic_job("affine:5ms,2ms;oom_above=2;load=100ms");
  const schema::RunFile full = uninterrupted(job);
  const schema::RunFile run = resumed(job, cut(full, 4));
  EXPECT_NEAR(run.end->wall_s, full.end->wall_s, 1e-9);
}

TEST(Resume, AFinishedRunStaysAsItIs) {
  const Job job = synthetic_job();
  const schema::RunFile full = uninterrupted(job);
  const schema::RunFile run = resumed(job, full);
  EXPECT_EQ(run.visits.size(), full.visits.size());
}

TEST(Resume, RefusesAnotherMachineUnlessForced) {
  const Job job = synthetic_job();
  Present present = present_of(job);
  present.machine.cpu = "another";
  const auto refused = resume(uninterrupted(job), present, false);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, base::ErrorKind::input);
  EXPECT_NE(refused.error().what.find("another"), std::string::npos);
  const auto forced = resume(uninterrupted(job), present, true);
  ASSERT_TRUE(forced);
  EXPECT_EQ(forced->job.header.notes.size(), 1u);
}

TEST(Resume, RefusesAnotherModelUnlessForced) {
  const Job job = synthetic_job();
  Present present = present_of(job);
  present.models[0].hash = "b";
  EXPECT_FALSE(resume(uninterrupted(job), present, false));
  EXPECT_TRUE(resume(uninterrupted(job), present, true));
  present.models.clear();
  EXPECT_FALSE(resume(uninterrupted(job), present, true));
}

TEST(Resume, AForcedDifferenceIsRecorded) {
  const Job job = synthetic_job();
  Present present = present_of(job);
  present.machine.host = "elsewhere";
  auto forced = resume(cut(uninterrupted(job), 3), present, true);
  ASSERT_TRUE(forced);
  const auto executor = make_in_process_executor(engines::load_synthetic, ModelReuse::never);
  MemorySink sink;
  Session session(forced->job, forced->recorded, {*executor, sink, nullptr, {}});
  ASSERT_TRUE(session.begin());
  ASSERT_EQ(sink.run.events.size(), 1u);
  EXPECT_NE(sink.run.events[0].what.find("elsewhere"), std::string::npos);
}

TEST(Resume, RefusesImportedNumbers) {
  const Job job = synthetic_job();
  schema::RunFile run = uninterrupted(job);
  run.header.origin = schema::Origin::imported;
  EXPECT_FALSE(resume(run, present_of(job), true));
}

TEST(Resume, RefusesWhatAProgramMeasuredOfItself) {
  const Job job = synthetic_job();
  schema::RunFile run = uninterrupted(job);
  run.header.origin = schema::Origin::api;
  EXPECT_FALSE(resume(run, present_of(job), true));
}

// One block of the job by itself, after those that are recorded.
schema::RunFile block_alone(const Job& job, schema::RunFile recorded, int block) {
  const auto executor = make_in_process_executor(engines::load_synthetic, ModelReuse::never);
  MemorySink sink;
  Session session(job, std::move(recorded), {*executor, sink, nullptr, {}});
  EXPECT_TRUE(session.begin());
  EXPECT_TRUE(session.run_block(block));
  return sink.run;
}

TEST(BlockAlone, DependsOnTheFirstTwoAndNoOther) {
  const Job job = synthetic_job("affine:50ms,200ms;warmup=0.7;load=0ms");
  const schema::RunFile all = uninterrupted(job), scouts = cut(all, 6);
  const auto block_5 = block_alone(job, scouts, 5);
  ASSERT_EQ(block_5.visits.size(), 3U);
  EXPECT_EQ(block_alone(job, scouts, 5).visits[0].samples_ns, block_5.visits[0].samples_ns);
  EXPECT_EQ(block_5.visits[0].block, 5);
  EXPECT_EQ(block_5.visits[0].config, all.visits[15].config) << "its order is that of the run";
  EXPECT_GT(block_5.visits[0].warmup_ns.size(), scouts.visits[0].warmup_ns.size())
      << "the first two showed how long it warms up";
  const auto block_0 = block_alone(job, cut(all, 0), 0);
  EXPECT_EQ(block_0.visits[2].samples_ns, all.visits[2].samples_ns);
}

TEST(BlockAlone, LeavesOutWhatFailedInTheFirstTwo) {
  const Job job = synthetic_job("affine:5ms,2ms;throw_at=4;load=0ms");
  const schema::RunFile scouts = cut(uninterrupted(job), 4);
  EXPECT_EQ(block_alone(job, scouts, 3).visits.size(), 2U);
  EXPECT_TRUE(block_alone(job, scouts, 3).events.empty());
}

TEST(BlockAlone, AStopIsAnError) {
  const Job job = synthetic_job();
  const auto executor = make_in_process_executor(engines::load_synthetic, ModelReuse::never);
  MemorySink sink;
  std::stop_source source;
  source.request_stop();
  Session session(job, cut(uninterrupted(job), 0), {*executor, sink, nullptr, source.get_token()});
  EXPECT_EQ(session.run_block(0).error().kind, base::ErrorKind::interrupted);
}

}  // namespace
}  // namespace batchscope::measure
