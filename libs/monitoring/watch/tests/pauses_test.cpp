#include "window/pauses.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "batchscope/watch/watch.hpp"
#include "samples.hpp"

namespace batchscope::watch {
namespace {

using findings::Severity;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr int64_t kWindowNs = 60 * kSecondNs;

bool hold(const Pauses& pauses, int64_t from, int64_t to, int64_t now) {
  return pauses.hold(kBeganNs + from * kSecondNs, kBeganNs + to * kSecondNs,
                     kBeganNs + now * kSecondNs);
}

void add_steps(int64_t from, int64_t to, int64_t every, double seconds, Pauses& pauses) {
  for (int64_t at = from; at < to; at += every) {
    pauses.add_step("", at, kBeganNs + at * kSecondNs, seconds);
  }
}

TEST(Pauses, AreWhereALoopMakesNoStepForAQuarterOfAWindow) {
  Pauses pauses(kWindowNs);
  EXPECT_FALSE(hold(pauses, 0, 60, 60)) << "nobody tells of steps";
  add_steps(30, 100, 1, 1, pauses);
  EXPECT_TRUE(hold(pauses, 10, 25, 100)) << "before the first";
  EXPECT_FALSE(hold(pauses, 40, 45, 100));
  EXPECT_FALSE(hold(pauses, 100, 110, 110)) << "a stall";
  EXPECT_TRUE(hold(pauses, 100, 110, 130)) << "it goes on";
  // The step itself takes as long, where the loop counts the pause into it.
  pauses.add_step("", 160, kBeganNs + 160 * kSecondNs, 60);
  EXPECT_TRUE(hold(pauses, 110, 130, 170));
  EXPECT_FALSE(hold(pauses, 160, 165, 170));
}

TEST(Pauses, AreNoneOfALoopThatTellsOfFewSteps) {
  Pauses pauses(kWindowNs);
  add_steps(0, 600, 40, 0.1, pauses);
  EXPECT_FALSE(hold(pauses, 400, 500, 600));
  EXPECT_FALSE(hold(pauses, 560, 660, 660));
  EXPECT_TRUE(hold(pauses, 560, 760, 760));
}

TEST(Pauses, AreNoneOfRanksWhoseStepsAreLong) {
  Pauses pauses(kWindowNs);
  for (int64_t at = 0; at < 600; at += 40) {
    for (const char* rank : {"0", "1", "2"}) {
      pauses.add_step(rank, at, kBeganNs + at * kSecondNs, 40);
    }
  }
  EXPECT_FALSE(hold(pauses, 400, 500, 590));
}

TEST(Pauses, AreNoneWhereStepsAreReportedManyAtATime) {
  Pauses pauses(kWindowNs);
  for (int64_t step = 0; step < 600; ++step) {
    pauses.add_step("", step, kBeganNs + (step / 60 * 60 + 60) * kSecondNs, 1);
  }
  EXPECT_FALSE(hold(pauses, 300, 400, 600));
}

TEST(Pauses, AreTheLoopWhereTheyAreMostOfIt) {
  Pauses pauses(kWindowNs);
  for (int64_t minute = 0; minute < 60; ++minute) {
    for (int64_t at = 0; at < 5; ++at) {
      pauses.add_step("", 5 * minute + at, kBeganNs + (60 * minute + at) * kSecondNs, 1);
    }
  }
  EXPECT_TRUE(hold(pauses, 250, 290, 300)) << "may be the start";
  EXPECT_FALSE(hold(pauses, 3310, 3350, 3590));
}

// A training whose steps take a second, and what it does when it makes none.
class Loop {
 public:
  void train(int64_t seconds, double busy = 0.97) {
    for (const int64_t until = second_ + seconds; second_ < until; ++second_) {
      telemetry::TrainingStep step = step_at(second_);
      watch_.add(step);
      watch_.add(sample_at(second_, busy_gpu("0", busy)));
    }
  }
  void rest(int64_t seconds, double busy) {
    for (const int64_t until = second_ + seconds; second_ < until; ++second_) {
      watch_.add(sample_at(second_, busy_gpu("0", busy)));
    }
  }
  void leave(int64_t seconds) {
    for (const int64_t until = second_ + seconds; second_ < until; ++second_) {
      telemetry::GpuReading gpu = busy_gpu("0", 0);
      gpu.memory_used_bytes = int64_t{1} << 29;
      gpu.processes.clear();
      watch_.add(sample_at(second_, gpu));
    }
  }
  ActiveFinding worst() const { return watch_.all().front(); }
  std::vector<std::string> alarms() const {
    std::vector<std::string> reported;
    for (const ActiveFinding& each : watch_.all()) {
      if (each.finding.severity >= Severity::medium) reported.push_back(each.finding.what);
    }
    return reported;
  }

 private:
  Watch watch_;
  int64_t second_ = 0;
};

TEST(Watch, AnEndAPauseAndAnEvaluationAreNoLowUse) {
  for (const double busy : {0.0, 0.01, 0.3, 0.48}) {
    Loop loop;
    loop.rest(50, busy);  // weights are loaded
    loop.train(200);
    loop.rest(100, busy);
    loop.train(200);
    loop.rest(300, busy);
    EXPECT_THAT(loop.alarms(), IsEmpty()) << busy;
  }
}

TEST(Watch, LowUseIsThatOfTheSteps) {
  Loop loop;
  loop.train(200, 0.4);
  loop.rest(100, 0.9);
  loop.train(200, 0.4);
  EXPECT_THAT(loop.alarms(), testing::ElementsAre(HasSubstr("busy 40 % of the time")));
}

// A loop that waits for ever, as where a worker of its loader died.
TEST(Watch, AProgramThatHoldsAGpuLongAfterItsLastStepIsReportedSinceThen) {
  Loop loop;
  loop.train(300);
  loop.rest(400, 0);
  EXPECT_THAT(loop.alarms(), IsEmpty());
  loop.rest(400, 0);
  EXPECT_THAT(loop.alarms(),
              testing::ElementsAre(HasSubstr("reports no more steps, but a program holds GPU 0")));
  EXPECT_EQ(loop.worst().since_ns, kBeganNs + 299 * kSecondNs);
  loop.train(100);
  EXPECT_TRUE(loop.worst().ended_ns);
}

TEST(Watch, AProgramThatGivesItsGpuBackIsNotHeldAgainstTheNext) {
  Loop loop;
  loop.train(300);
  loop.rest(700, 0);
  loop.leave(120);
  ASSERT_TRUE(loop.worst().ended_ns);
  const int64_t ended_ns = *loop.worst().ended_ns;
  loop.rest(900, 0);  // another program holds it
  EXPECT_EQ(loop.alarms().size(), 1U);
  EXPECT_EQ(loop.worst().ended_ns, ended_ns);
}

// The first steps take these seconds, and those after them 0.3.
std::vector<std::string> reported_first_steps(const std::vector<double>& first, int64_t seconds,
                                              double busy_later) {
  Watch watch;
  double ends = 30;
  std::size_t step = 0;
  for (int64_t second = 0; second < seconds; ++second) {
    const auto now = static_cast<double>(second);
    for (; ends <= now; ++step) {
      telemetry::TrainingStep reported = step_at(0);
      reported.step = static_cast<int64_t>(step);
      reported.time_ns += static_cast<int64_t>(ends * 1e9);
      reported.seconds = step < first.size() ? first[step] : 0.3;
      watch.add(reported);
      ends += step + 1 < first.size() ? first[step + 1] : 0.3;
    }
    watch.add(sample_at(second, busy_gpu("0", step >= first.size() ? busy_later : 0.01)));
  }
  std::vector<std::string> reported;
  for (const ActiveFinding& each : watch.all()) reported.push_back(each.finding.what);
  return reported;
}

TEST(Watch, FirstStepsThatCompileAreNoLowUse) {
  for (const std::vector<double>& first : std::vector<std::vector<double>>{
           {20, 30, 20, 10}, {5, 50, 30}, {1, 20, 20, 20, 20}, {60, 45, 20, 5, 1}, {90, 30, 1}}) {
    for (const int64_t until : {75, 92, 100, 130, 400}) {
      EXPECT_THAT(reported_first_steps(first, until, 0.95), IsEmpty()) << until << " s";
    }
  }
  EXPECT_THAT(reported_first_steps({30, 20, 10}, 400, 0.4),
              testing::ElementsAre(HasSubstr("busy 38 % of the time")));
  const std::vector<double> always(40, 25);
  EXPECT_THAT(reported_first_steps(always, 500, 0.95),
              testing::ElementsAre(HasSubstr("busy 1.0 % of the time")));
}

// Two trainings on a machine, of which the second, on GPU 1, makes steps where it `trains`; else
// `otherwise` is its GPU.
Watch two_loops(int64_t seconds, const std::function<bool(int64_t)>& trains,
                const std::function<telemetry::GpuReading(int64_t)>& otherwise) {
  Watch watch;
  for (int64_t second = 0; second < seconds; ++second) {
    for (const char* const source : {"first", "second"}) {
      telemetry::TrainingStep step = step_at(second);
      step.source = source;
      if (trains(second) || step.source == "first") watch.add(step);
    }
    telemetry::Sample sample = sample_at(second, busy_gpu("0"));
    sample.gpus.push_back(trains(second) ? busy_gpu("1") : otherwise(second));
    sample.gpus.back().read_ns = sample.time_ns;
    watch.add(sample);
  }
  return watch;
}

// The second ends after 300 s; `after` is GPU 1 by the seconds since then.
Watch one_of_two_ends(int64_t seconds, const std::function<telemetry::GpuReading(int64_t)>& after) {
  constexpr int64_t kEnd = 300;
  return two_loops(
      seconds, [](int64_t second) { return second < kEnd; },
      [&](int64_t second) { return after(second - kEnd); });
}

// The second pauses for `pause` seconds of every `period`, in which its GPU is as busy as this.
Watch one_of_two_pauses(int64_t pause, int64_t period, double busy) {
  return two_loops(
      1500, [&](int64_t second) { return second % period < period - pause; },
      [&](int64_t) { return busy_gpu("1", busy); });
}

std::vector<std::string> reported_of_gpu_1(const Watch& watch) {
  std::vector<std::string> reported;
  for (const ActiveFinding& each : watch.all()) {
    if (each.finding.what.find("GPU 1") != std::string::npos) reported.push_back(each.finding.what);
  }
  return reported;
}

TEST(Watch, OfSeveralLoopsTheOneThatEndedIsNoLowUse) {
  const auto held = [](int64_t) { return busy_gpu("1", 0); };
  EXPECT_THAT(reported_of_gpu_1(one_of_two_ends(470, held)), IsEmpty()) << "may be an evaluation";
  const Watch watch = one_of_two_ends(1000, held);
  EXPECT_THAT(reported_of_gpu_1(watch),
              testing::ElementsAre(HasSubstr(
                  "One of the training loops reports no more steps, but a program holds GPU 1")));
  EXPECT_EQ(watch.all().front().since_ns, kBeganNs + 299 * kSecondNs);
}

TEST(Pauses, AreThoseOfEachLoopButNotOfAnEvaluationThatTakesTurns) {
  Pauses beside(kWindowNs), turns(kWindowNs);
  for (int64_t at = 0; at < 400; ++at) {
    beside.add_step("a", at, kBeganNs + at * kSecondNs, 1);
    if (at < 300) beside.add_step("b", at, kBeganNs + at * kSecondNs, 1);
    turns.add_step(at % 100 < 60 ? "train" : "eval", at, kBeganNs + at * kSecondNs, 1);
  }
  EXPECT_TRUE(hold(beside, 320, 380, 400));
  EXPECT_FALSE(hold(turns, 360, 390, 399)) << "the training waits for its evaluation";
  for (int64_t at = 400; at < 600; ++at) beside.add_step("a", at, kBeganNs + at * kSecondNs, 1);
  EXPECT_FALSE(hold(beside, 500, 560, 600)) << "it has ended";
}

TEST(Watch, OfSeveralLoopsTheOneThatEndedAndGaveItsGpuBackLeavesOneThatNobodyUses) {
  const Watch watch = one_of_two_ends(1000, [](int64_t seconds) {
    telemetry::GpuReading gpu = busy_gpu("1", 0);
    if (seconds < 10) return gpu;
    gpu.memory_used_bytes = int64_t{1} << 29;
    gpu.processes.clear();
    return gpu;
  });
  EXPECT_THAT(reported_of_gpu_1(watch), testing::ElementsAre("No program uses GPU 1"));
}

TEST(Watch, APauseOfOneOfSeveralLoopsIsNoLowUse) {
  for (const double busy : {0.0, 0.03, 0.3}) {
    for (const int64_t pause : {20, 45, 60, 100}) {
      EXPECT_THAT(reported_of_gpu_1(one_of_two_pauses(pause, 300, busy)), IsEmpty())
          << pause << " s, " << busy;
    }
  }
}

// The second began its evaluation, or never ran there.
TEST(Watch, AGpuThatIsIdleAtAnotherTimeThanALoopEndedIsLowUse) {
  const Watch watch = one_of_two_ends(
      1000, [](int64_t seconds) { return busy_gpu("1", seconds < 200 ? 0.97 : 0); });
  EXPECT_THAT(reported_of_gpu_1(watch), testing::ElementsAre(HasSubstr("GPU 1 is busy")));
}

}  // namespace
}  // namespace batchscope::watch
