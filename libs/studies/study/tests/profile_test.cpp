#include "batchscope/study/profile.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <new>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <utility>

#include "batchscope/analyze/analyze.hpp"

namespace batchscope::study {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr int kBlocks = 3;

// Short: what is tested does not depend on how long anything takes.
ProfileOptions quick() {
  ProfileOptions options;
  options.blocks = kBlocks;
  options.iterations = 4;
  options.warmup = 2;
  options.seed = 7;
  return options;
}

Profiled measured(const Iteration& iteration, const std::vector<int64_t>& sizes,
                  const ProfileOptions& options = quick()) {
  auto profiled = profile(iteration, sizes, options);
  EXPECT_TRUE(profiled) << to_string(profiled.error());
  return profiled.value_or(Profiled{});
}

void nothing(int64_t, ranges::Profiler&) {}

std::vector<std::string> phase_names(const schema::Visit& visit) {
  std::vector<std::string> names;
  for (const schema::Phase& phase : visit.phases) names.push_back(phase.name);
  return names;
}

TEST(Profile, MeasuresEveryBatchSizeOnceABlock) {
  std::map<int64_t, int> iterations;
  const Profiled made =
      measured([&](int64_t batch_size, ranges::Profiler&) { ++iterations[batch_size]; }, {1, 2, 4});
  EXPECT_EQ(made.run.visits.size(), 3u * kBlocks);
  for (const int64_t size : {1, 2, 4}) EXPECT_EQ(iterations[size], kBlocks * (2 + 4));
  for (const schema::Visit& visit : made.run.visits) {
    EXPECT_EQ(visit.samples_ns.size(), 4u);
    EXPECT_EQ(visit.warmup_ns.size(), 2u);
    EXPECT_EQ(visit.clock, schema::ClockKind::steady);
  }
  ASSERT_TRUE(made.run.end);
  EXPECT_EQ(made.run.end->reason, schema::EndReason::blocks_done);
}

TEST(Profile, SaysHowItWasMeasured) {
  ProfileOptions options = quick();
  options.name = "my pipeline";
  options.seq_len = 64;
  options.threads = 3;
  const Profiled made = measured(nothing, {1, 2}, options);
  EXPECT_EQ(made.run.header.origin, schema::Origin::api);
  EXPECT_EQ(made.run.header.plan.isolation, schema::Isolation::none);
  EXPECT_EQ(made.run.header.seed, 7u);
  EXPECT_EQ(made.run.header.models.front().name, "my pipeline");
  EXPECT_FALSE(made.run.header.tool_version.empty());
  EXPECT_EQ(schema::describe(made.run.configs.back()),
            "my pipeline batch_size=2 seq_len=64 fp32 cpu threads=3");
  EXPECT_EQ(made.run.configs.back().engine, "callable");
}

TEST(Profile, TheOrderIsRandomAndFollowsFromTheSeed) {
  std::vector<int64_t> order;
  const Iteration note = [&](int64_t batch_size, ranges::Profiler&) {
    if (order.empty() || order.back() != batch_size) order.push_back(batch_size);
  };
  measured(note, {1, 2, 3, 4, 5, 6, 7, 8});
  const std::vector<int64_t> first = std::exchange(order, {});
  measured(note, {1, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_EQ(order, first);
  EXPECT_FALSE(std::is_sorted(first.begin(), first.begin() + 8));
}

TEST(Profile, RangesBecomePhases) {
  const Profiled made = measured(
      [](int64_t, ranges::Profiler& profiler) {
        profiler.range("tokenize").end();
        const ranges::Range forward = profiler.range("forward");
        const ranges::Range inner = profiler.range("part of forward");
        std::thread([&] { profiler.range("on another thread").end(); }).join();
      },
      {1, 2});
  for (const schema::Visit& visit : made.run.visits) {
    EXPECT_THAT(phase_names(visit), ElementsAre("prepare", "tokenize", "forward"));
    EXPECT_EQ(visit.phases[1].count, 4);
    const int64_t phases = visit.phases[1].host_ns + visit.phases[2].host_ns;
    EXPECT_LE(phases,
              std::accumulate(visit.samples_ns.begin(), visit.samples_ns.end(), int64_t{0}));
  }
  EXPECT_EQ(made.summary.groups.front().rows.front().phases.back().name, "other");
}

TEST(Profile, APhaseCalledPrepareIsNotTakenForTheVisits) {
  const Profiled made =
      measured([](int64_t, ranges::Profiler& profiler) { profiler.range("prepare").end(); }, {1});
  EXPECT_THAT(phase_names(made.run.visits.front()), ElementsAre("prepare", "preparation"));
}

TEST(Profile, PreparesTwiceBeforeEachVisit) {
  std::vector<int64_t> prepared;
  ProfileOptions options = quick();
  options.prepare = [&](int64_t batch_size) { prepared.push_back(batch_size); };
  measured([&](int64_t batch_size, ranges::Profiler&) { EXPECT_EQ(prepared.back(), batch_size); },
           {1, 8}, options);
  EXPECT_EQ(prepared.size(), 2u * 2 * kBlocks);
}

TEST(Profile, WhatBeginLeftOpenEndsWithTheIteration) {
  const Profiled made =
      measured([](int64_t, ranges::Profiler& profiler) { profiler.begin("left open"); }, {1});
  const schema::Phase& phase = made.run.visits.front().phases.back();
  EXPECT_EQ(phase.name, "left open");
  EXPECT_EQ(phase.count, 4);
}

// Ends what the function left open, once the failure is known.
class EndsRange final : public measure::Observer {
 public:
  void on_event(const schema::Event&, const measure::Progress&) override { kept.end(); }
  ranges::Range kept;
};

TEST(Profile, ARangeThatOutlivesTheIterationIsAFailure) {
  EndsRange observer;
  ProfileOptions options = quick();
  options.observer = &observer;
  const Profiled made = measured(
      [&](int64_t batch_size, ranges::Profiler& profiler) {
        if (batch_size == 2) observer.kept = profiler.range("kept");
      },
      {1, 2}, options);
  ASSERT_FALSE(made.run.events.empty());
  EXPECT_THAT(made.run.events.front().what, HasSubstr("still open"));
  EXPECT_EQ(made.run.visits.size(), std::size_t{kBlocks});
}

// The event of a batch size that fails, while the others are measured.
schema::Event failure_of(const Iteration& iteration) {
  const Profiled made = measured(iteration, {1, 2, 4});
  EXPECT_EQ(made.run.visits.size(), 2u * kBlocks);
  EXPECT_EQ(made.run.events.size(), std::size_t{kBlocks});  // twice, and that it is left out
  if (made.run.events.empty()) return {};
  EXPECT_EQ(made.run.events.front().where.config, 1);
  return made.run.events.front();
}

TEST(Profile, AnExceptionIsAFailureOfItsBatchSize) {
  const schema::Event event = failure_of([](int64_t batch_size, ranges::Profiler& profiler) {
    const ranges::Range scoped = profiler.range("forward");
    profiler.begin("never ended");
    if (batch_size == 2) throw std::runtime_error("no batches of two");
    profiler.end();
  });
  EXPECT_EQ(event.kind, schema::EventKind::error);
  EXPECT_EQ(event.what, "callable: it threw: no batches of two");
}

TEST(Profile, BadAllocIsOutOfMemory) {
  const schema::Event event = failure_of([](int64_t batch_size, ranges::Profiler&) {
    if (batch_size == 2) throw std::bad_alloc();
  });
  EXPECT_EQ(event.kind, schema::EventKind::out_of_memory);
  EXPECT_FALSE(event.fix.empty());
}

TEST(Profile, TheWordsOfALibraryAreOutOfMemory) {
  const schema::Event event = failure_of([](int64_t batch_size, ranges::Profiler&) {
    if (batch_size == 2) throw std::runtime_error("cuFFT error: CUFFT_ALLOC_FAILED");
  });
  EXPECT_EQ(event.kind, schema::EventKind::out_of_memory);
}

TEST(Profile, AnythingElseThatIsThrownIsAFailureToo) {
  const schema::Event event = failure_of([](int64_t batch_size, ranges::Profiler&) {
    if (batch_size == 2) throw 2;
  });
  EXPECT_EQ(event.kind, schema::EventKind::error);
}

TEST(Profile, PreparingMayFail) {
  ProfileOptions options = quick();
  options.prepare = [](int64_t batch_size) {
    if (batch_size > 1) throw std::bad_alloc();
  };
  const Profiled made = measured(nothing, {1, 2}, options);
  EXPECT_EQ(made.run.events.front().kind, schema::EventKind::out_of_memory);
  EXPECT_EQ(made.run.visits.size(), std::size_t{kBlocks});
}

TEST(Profile, NothingMeasuredIsAnError) {
  const auto made =
      profile([](int64_t, ranges::Profiler&) { throw std::runtime_error("no model loaded"); },
              std::vector<int64_t>{1, 2}, quick());
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().kind, base::ErrorKind::failed);
  EXPECT_THAT(made.error().what, HasSubstr("no model loaded"));
}

// In one process nothing is proven, however large a difference is.
TEST(Profile, ClaimsAreSuspicionsAtMost) {
  ProfileOptions options = quick();
  options.blocks = 12;
  volatile uint64_t sink = 0;
  const Profiled made = measured(
      [&](int64_t batch_size, ranges::Profiler&) {
        const int64_t steps = 2000 * batch_size * (batch_size == 4 ? 5 : 1);
        for (int64_t i = 0; i < steps; ++i) sink = sink + 1;
      },
      {1, 2, 4, 8, 16}, options);
  EXPECT_FALSE(made.summary.findings.empty());
  for (const findings::Finding& finding : made.summary.findings) {
    EXPECT_NE(finding.status, findings::Status::proven) << finding.id;
  }
  for (const findings::ConfigRow& row : made.summary.groups.front().rows) {
    EXPECT_NE(row.verdict, findings::Verdict::proven);
  }
  EXPECT_THAT(made.summary.warnings,
              testing::Contains(HasSubstr("Measured inside the caller's process")));
}

TEST(Profile, EndsWhenAskedTo) {
  std::stop_source stop;
  ProfileOptions options = quick();
  options.stop = stop.get_token();
  const Profiled made =
      measured([&](int64_t, ranges::Profiler&) { stop.request_stop(); }, {1, 2}, options);
  EXPECT_EQ(made.run.visits.size(), 1u);
  EXPECT_EQ(made.run.end->reason, schema::EndReason::interrupted);
}

struct FixedDevice final : ranges::DeviceClock {
  int64_t mark() override { return 0; }
  std::optional<int64_t> between_ns(int64_t, int64_t) override { return 11; }
  void release(int64_t) override {}
};

TEST(Profile, PhasesHaveDeviceTimes) {
  FixedDevice device;
  ProfileOptions options = quick();
  options.device_clock = &device;
  const Profiled made = measured(
      [](int64_t, ranges::Profiler& profiler) { profiler.range("forward").end(); }, {1}, options);
  EXPECT_EQ(made.run.visits.front().phases.back().device_ns, 4 * 11);
}

class ProfileOutput : public testing::Test {
 protected:
  void SetUp() override {
    path_ = std::filesystem::path(testing::TempDir()) /
            (std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) + ".jsonl");
    std::filesystem::remove(path_);
  }
  void TearDown() override { std::filesystem::remove(path_); }

  std::filesystem::path path_;
};

TEST_F(ProfileOutput, TheFileTellsTheSame) {
  ProfileOptions options = quick();
  options.output = path_;
  const Profiled made = measured(nothing, {1, 2, 4}, options);
  const auto run = schema::read_run_file(path_);
  ASSERT_TRUE(run);
  analyze::Options as;
  as.names = {path_.string()};
  const findings::Summary read = analyze::analyze(std::span(&*run, 1), as);
  EXPECT_EQ(read.words, made.summary.words);
  EXPECT_EQ(read.answer.lines, made.summary.answer.lines);
  ASSERT_EQ(read.groups.size(), made.summary.groups.size());
  EXPECT_EQ(read.groups[0].rows[0].time_ms.value, made.summary.groups[0].rows[0].time_ms.value);
}

TEST_F(ProfileOutput, NothingIsOverwrittenUnlessAsked) {
  std::ofstream(path_) << "mine\n";
  ProfileOptions options = quick();
  options.output = path_;
  const auto refused = profile(nothing, std::vector<int64_t>{1}, options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, base::ErrorKind::usage);
  options.overwrite = true;
  measured(nothing, {1}, options);
  EXPECT_TRUE(schema::read_run_file(path_));
}

TEST(Profile, RefusesWhatCannotBeMeant) {
  const auto refused = [](const std::vector<int64_t>& sizes, auto change) {
    ProfileOptions options = quick();
    change(options);
    const auto made = profile(nothing, sizes, options);
    return !made && made.error().kind == base::ErrorKind::usage ? made.error().where : "accepted";
  };
  const auto none = [](ProfileOptions&) {};
  EXPECT_EQ(refused({}, none), "batch_sizes");
  EXPECT_EQ(refused({0}, none), "batch_sizes");
  EXPECT_EQ(refused({2, 2}, none), "batch_sizes");
  EXPECT_EQ(refused({1}, [](ProfileOptions& it) { it.name = ""; }), "name");
  EXPECT_EQ(refused({1}, [](ProfileOptions& it) { it.threads = 0; }), "threads");
  EXPECT_EQ(refused({1}, [](ProfileOptions& it) { it.blocks = 0; }), "blocks");
  EXPECT_EQ(refused({1}, [](ProfileOptions& it) { it.iterations = 0; }), "iterations");
  EXPECT_EQ(refused({1}, [](ProfileOptions& it) { it.warmup = -1; }), "warmup");
  EXPECT_EQ(refused({1}, [](ProfileOptions& it) { it.seq_len = 0; }), "seq_len");
  EXPECT_EQ(refused({1}, [](ProfileOptions& it) { it.target = 0; }), "target");
  EXPECT_EQ(refused({1}, [](ProfileOptions& it) { it.budget_s = -1; }), "budget_s");
  EXPECT_EQ(refused({1}, [](ProfileOptions& it) { it.current_batch_size = 2; }),
            "current_batch_size");
  EXPECT_FALSE(profile({}, std::vector<int64_t>{1}, quick()));
}

}  // namespace
}  // namespace batchscope::study
