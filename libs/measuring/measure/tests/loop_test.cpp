#include "batchscope/measure/loop.hpp"

#include <gtest/gtest.h>

#include <deque>

namespace batchscope::measure {
namespace {

using base::Result;

class ManualClock final : public engine::Clock {
 public:
  int64_t now_ns() const override { return now; }
  schema::ClockKind kind() const override { return schema::ClockKind::virtual_time; }
  int64_t now = 100;
};

// Takes the times it was given, the last one again and again. A run that is not waited for takes no
// time; waiting then takes it all.
class ScriptedModel final : public engine::Model {
 public:
  ScriptedModel(ManualClock& clock, std::deque<int64_t> times, bool wait_each = true)
      : clock_(clock), times_(std::move(times)), wait_each_(wait_each) {}

  Result<std::unique_ptr<engine::Batch>> prepare(const schema::Shape&) override {
    return std::make_unique<engine::Batch>();
  }
  Result<void> run(engine::Batch&, engine::PhaseSink& sink) override {
    if (++runs == fail_at) {
      return base::Error{base::ErrorKind::failed, "told to", "", ""};
    }
    const int64_t time = times_.front();
    if (times_.size() > 1) times_.pop_front();
    (wait_each_ ? clock_.now : open_) += time;
    sink.phase("forward", time, std::nullopt);
    return {};
  }
  Result<void> wait(engine::PhaseSink&) override {
    clock_.now += open_;
    open_ = 0;
    ++waits;
    return {};
  }
  void reset_memory_peaks() override {}
  schema::Memory memory() const override { return {}; }

  int runs = 0, waits = 0;
  int fail_at = -1;

 private:
  ManualClock& clock_;
  std::deque<int64_t> times_;
  bool wait_each_;
  int64_t open_ = 0;
};

constexpr int64_t kMs = 1'000'000;

std::vector<int64_t> warmup(std::deque<int64_t> times, const WarmupRule& rule = {}) {
  ManualClock clock;
  ScriptedModel model(clock, std::move(times));
  engine::Batch batch;
  PhaseTable phases;
  const auto result = run_warmup(model, batch, phases, clock, rule, true);
  EXPECT_TRUE(result);
  return result.value_or({});
}

TEST(Warmup, TwoAreEnoughWhereOneIsLong) {
  EXPECT_EQ(warmup({300 * kMs, 250 * kMs, 200 * kMs}).size(), 2u);
}

TEST(Warmup, GoesOnUntilPairsAgree) {
  EXPECT_EQ(warmup({10 * kMs, 10 * kMs, 10 * kMs, 10 * kMs}).size(), 4u);
  EXPECT_EQ(warmup({20 * kMs, 15 * kMs, 12 * kMs, 11 * kMs, 10 * kMs, 10 * kMs, 10 * kMs}).size(),
            8u);
}

TEST(Warmup, ComparesFullPairs) {
  // After five the last two agree with the two before them, but they are no pairs yet.
  EXPECT_EQ(warmup({30 * kMs, 12 * kMs, 10 * kMs, 12 * kMs, 10 * kMs, 12 * kMs}).size(), 6u);
}

TEST(Warmup, EndsAtTenOrAtTwoSeconds) {
  EXPECT_EQ(warmup({90 * kMs, 80 * kMs, 70 * kMs, 60 * kMs, 50 * kMs, 40 * kMs, 30 * kMs, 20 * kMs,
                    10 * kMs, 5 * kMs, 2 * kMs, 1 * kMs})
                .size(),
            10u);
  WarmupRule rule;
  rule.long_ns = 10'000 * kMs;
  EXPECT_EQ(warmup({900 * kMs, 700 * kMs, 500 * kMs, 300 * kMs}, rule).size(), 3u);
}

TEST(Warmup, ALargerLeastIsKept) {
  WarmupRule rule;
  rule.at_least = 14;
  EXPECT_EQ(warmup({300 * kMs}, rule).size(), 14u);
  EXPECT_EQ(warmup({10 * kMs}, rule).size(), 14u);
}

TEST(Warmup, AFixedNumberIsThatNumber) {
  WarmupRule rule;
  rule.fixed = 0;
  EXPECT_EQ(warmup({10 * kMs}, rule).size(), 0u);
  rule.fixed = 17;
  EXPECT_EQ(warmup({300 * kMs}, rule).size(), 17u);
}

class Cycle final : public engine::Batch {
 public:
  explicit Cycle(int64_t length) : length_(length) {}
  int64_t cycle() const override { return length_; }

 private:
  int64_t length_;
};

std::size_t warmup_of_cycles(int64_t length, std::deque<int64_t> times,
                             const WarmupRule& rule = {}) {
  ManualClock clock;
  ScriptedModel model(clock, std::move(times));
  Cycle batch(length);
  PhaseTable phases;
  const auto result = run_warmup(model, batch, phases, clock, rule, true);
  EXPECT_TRUE(result);
  return result.value_or({}).size();
}

TEST(WarmupOfCycles, EndsWithACycle) {
  EXPECT_EQ(warmup_of_cycles(16, {10 * kMs}), 16u);  // over ten
  EXPECT_EQ(warmup_of_cycles(4, {10 * kMs, 50 * kMs, 30 * kMs, 20 * kMs, 10 * kMs}), 12u);
  EXPECT_EQ(warmup_of_cycles(3, {300 * kMs}), 3u);  // long iterations
}

TEST(WarmupOfCycles, IsOneCycleAtLeastHoweverLongItTakes) {
  WarmupRule rule;
  rule.long_ns = 10'000 * kMs;
  EXPECT_EQ(warmup_of_cycles(6, {900 * kMs}, rule), 6u);
}

TEST(WarmupOfCycles, ComparesMeansOfCyclesNotLengths) {
  // The two lengths differ, their means do not: four cycles show it.
  EXPECT_EQ(warmup_of_cycles(2, {10 * kMs, 90 * kMs, 10 * kMs, 90 * kMs, 10 * kMs, 90 * kMs,
                                 10 * kMs, 90 * kMs, 10 * kMs, 90 * kMs}),
            8u);
}

TEST(WarmupOfCycles, AFixedNumberIsRoundedUp) {
  WarmupRule rule;
  rule.fixed = 5;
  EXPECT_EQ(warmup_of_cycles(4, {10 * kMs}, rule), 8u);
  rule.fixed = 0;
  EXPECT_EQ(warmup_of_cycles(4, {10 * kMs}, rule), 0u);
}

std::vector<int64_t> timed(std::deque<int64_t> times, const TimedRule& rule,
                           const TimedAim& aim = {}) {
  ManualClock clock;
  ScriptedModel model(clock, std::move(times));
  engine::Batch batch;
  PhaseTable phases;
  TimedSeries series;
  EXPECT_TRUE(run_timed_each(model, batch, phases, clock, rule, aim, series));
  return series.samples_ns;
}

TEST(TimedEach, AtLeastFiveAndAQuarterSecond) {
  EXPECT_EQ(timed({400 * kMs}, {}), std::vector<int64_t>(5, 400 * kMs));
  EXPECT_EQ(timed({10 * kMs}, {}).size(), 25u);
}

TEST(TimedEach, KeepsEveryTime) {
  TimedRule rule;
  rule.fixed = 4;
  EXPECT_EQ(timed({7, 5, 9, 8, 1}, rule), (std::vector<int64_t>{7, 5, 9, 8}));
}

TEST(TimedEach, GoesOnToMakeUpForTheStart) {
  EXPECT_EQ(timed({10 * kMs}, {}, {1000 * kMs, 10 * kMs}).size(), 100u);
  TimedRule rule;
  rule.enough = 40;
  EXPECT_EQ(timed({10 * kMs}, rule, {1000 * kMs, 10 * kMs}).size(), 40u);
}

TEST(TimedEach, AFailureIsHandedOn) {
  ManualClock clock;
  ScriptedModel model(clock, {kMs});
  model.fail_at = 3;
  engine::Batch batch;
  PhaseTable phases;
  TimedSeries series;
  EXPECT_FALSE(run_timed_each(model, batch, phases, clock, {}, {}, series));
}

TEST(TimedEach, RoomIsMadeBeforehand) {
  ManualClock clock;
  ScriptedModel model(clock, {10 * kMs});
  engine::Batch batch;
  PhaseTable phases;
  TimedSeries series;
  ASSERT_TRUE(run_timed_each(model, batch, phases, clock, {}, {0, kMs}, series));
  EXPECT_GE(series.samples_ns.capacity(), 250u);
}

TimedSeries timed_cycles(int64_t length, std::deque<int64_t> times, const TimedRule& rule) {
  ManualClock clock;
  ScriptedModel model(clock, std::move(times));
  Cycle batch(length);
  PhaseTable phases;
  TimedSeries series;
  EXPECT_TRUE(run_timed_each(model, batch, phases, clock, rule, {}, series));
  EXPECT_EQ(model.runs, length * static_cast<int64_t>(series.samples_ns.size()));
  return series;
}

TEST(TimedCycles, ASampleIsTheMeanOverOneCycle) {
  TimedRule rule;
  rule.fixed = 3;
  const TimedSeries series = timed_cycles(3, {10, 20, 33, 40, 50, 60, 70, 80, 90, 1000}, rule);
  EXPECT_EQ(series.iterations_per_sample, 3);
  EXPECT_EQ(series.samples_ns, (std::vector<int64_t>{21, 50, 80}));
}

TEST(TimedCycles, AreThreeAtLeastAndAFixedNumberIsRoundedUp) {
  TimedRule rule;
  rule.fixed = 1;
  EXPECT_EQ(timed_cycles(4, {10}, rule).samples_ns.size(), 3u);
  rule.fixed = 17;
  EXPECT_EQ(timed_cycles(4, {10}, rule).samples_ns.size(), 5u);
  EXPECT_EQ(timed_cycles(2, {400 * kMs}, {}).samples_ns.size(), 3u);
  EXPECT_EQ(timed_cycles(2, {10 * kMs}, {}).samples_ns.size(), 13u);  // a quarter second
}

TEST(TimedCycles, ASeriesOfSyncEndIsFullCycles) {
  ManualClock clock;
  ScriptedModel model(clock, {6}, false);
  Cycle batch(8);
  PhaseTable phases;
  TimedSeries series;
  TimedRule rule;
  rule.fixed = 30;
  ASSERT_TRUE(run_timed_end(model, batch, phases, clock, rule, {}, series));
  EXPECT_EQ(series.iterations_per_sample, 16);
  EXPECT_EQ(model.runs, 48);
}

TEST(TimedEnd, WaitsOnceForEachOfThreeSeries) {
  ManualClock clock;
  ScriptedModel model(clock, {10 * kMs}, false);
  engine::Batch batch;
  PhaseTable phases;
  TimedSeries series;
  ASSERT_TRUE(run_timed_end(model, batch, phases, clock, {}, {0, 10 * kMs}, series));
  EXPECT_EQ(model.waits, 3);
  EXPECT_EQ(series.iterations_per_sample, 9);  // 25 are needed
  EXPECT_EQ(series.samples_ns, (std::vector<int64_t>(3, 10 * kMs)));
  EXPECT_EQ(model.runs, 27);
}

TEST(TimedEnd, AFixedNumberIsRoundedUpToThreeSeries) {
  ManualClock clock;
  ScriptedModel model(clock, {6}, false);
  engine::Batch batch;
  PhaseTable phases;
  TimedSeries series;
  TimedRule rule;
  rule.fixed = 10;
  ASSERT_TRUE(run_timed_end(model, batch, phases, clock, rule, {}, series));
  EXPECT_EQ(model.runs, 12);
  EXPECT_EQ(series.iterations_per_sample, 4);
}

TEST(PhaseTable, AddsUpByName) {
  PhaseTable table;
  table.phase("forward", 10, std::nullopt);
  table.phase("d2h", 1, 7);
  const std::string same = "forward";  // another address
  table.phase(same, 20, std::nullopt);
  const auto phases = table.phases();
  ASSERT_EQ(phases.size(), 2u);
  EXPECT_EQ(phases[0].name, "forward");
  EXPECT_EQ(phases[0].host_ns, 30);
  EXPECT_EQ(phases[0].count, 2);
  EXPECT_FALSE(phases[0].device_ns);
  EXPECT_EQ(phases[1].device_ns, 7);
}

TEST(PhaseTable, ForgetsTheWarmup) {
  PhaseTable table;
  table.phase("forward", 10, 3);
  table.reset();
  EXPECT_TRUE(table.phases().empty());
  table.phase("forward", 5, std::nullopt);
  EXPECT_EQ(table.phases()[0].host_ns, 5);
  EXPECT_FALSE(table.phases()[0].device_ns);
}

TEST(PhaseTable, WhatIsBeyondItsRoomIsOther) {
  PhaseTable table;
  std::vector<std::string> names;
  names.reserve(20);
  for (int i = 0; i < 20; ++i) names.push_back("phase " + std::to_string(i));
  for (const std::string& name : names) table.phase(name, 1, std::nullopt);
  const auto phases = table.phases();
  ASSERT_EQ(phases.size(), 16u);
  EXPECT_EQ(phases.back().name, "other");
  EXPECT_EQ(phases.back().host_ns, 5);
}

}  // namespace
}  // namespace batchscope::measure
