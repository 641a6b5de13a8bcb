#include "batchscope/measure/quiet.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "batchscope/measure/observer.hpp"

namespace batchscope::measure {
namespace {

using findings::Disturbance;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr int64_t kSecond = 1'000'000'000;
constexpr int kCpus = 2;

// A machine on which others keep one CPU busy until `quiet_after_s`; its time is that of pauses.
class Machine {
 public:
  explicit Machine(double quiet_after_s) : quiet_after_s_(quiet_after_s) {}

  IdleCheck look_around() {
    return {.take = [this] { return snapshot(); },
            .pause =
                [this](double seconds) {
                  pass(seconds);
                  return now_s_ < stopped_at_s;
                }};
  }

  double stopped_at_s = 1e9;
  std::string governor = "performance";
  double steal = 0;  // share of the CPU time

 private:
  host::FitnessSnapshot snapshot() const {
    host::FitnessSnapshot now;
    now.watched_cpus = kCpus;
    now.total_ns = static_cast<int64_t>(now_s_ * kCpus * kSecond);
    now.busy_ns = static_cast<int64_t>(busy_s_ * kSecond);
    now.steal_ns = static_cast<int64_t>(now_s_ * kCpus * steal * kSecond);
    now.governor = governor;
    return now;
  }
  void pass(double seconds) {
    busy_s_ += now_s_ < quiet_after_s_ ? seconds : 0;
    now_s_ += seconds;
  }

  double quiet_after_s_;
  double now_s_ = 1;
  double busy_s_ = 0;
};

struct Reported final : Observer {
  void on_wait(const MachineCheck&, double patience_s) override { waits.push_back(patience_s); }
  void on_machine(const MachineCheck& look) override { styles.push_back(look); }
  std::vector<double> waits;
  std::vector<MachineCheck> styles;
};

TEST(LookAtMachine, AQuietOneIsMeasuredAtOnce) {
  Machine machine(0);
  Reported reported;
  const MachineCheck look = look_at_machine(machine.look_around(), 60, &reported);
  EXPECT_TRUE(look.is_quiet());
  EXPECT_EQ(look.waited_s, 0);
  EXPECT_EQ(in_words(look), "the machine is quiet");
  EXPECT_FALSE(event_of(look));
  EXPECT_THAT(reported.waits, IsEmpty());
  EXPECT_EQ(reported.styles.size(), 1u);
}

TEST(LookAtMachine, ABusyOneIsNotWaitedForUnlessAsked) {
  Machine machine(1e9);
  const MachineCheck look = look_at_machine(machine.look_around(), 0, nullptr);
  EXPECT_THAT(look.disturbances, ElementsAre(Disturbance::others_load));
  EXPECT_EQ(look.waited_s, 0);
  EXPECT_THAT(in_words(look), HasSubstr("other processes use 1."));
  const auto event = event_of(look);
  ASSERT_TRUE(event);
  EXPECT_EQ(event->kind, schema::EventKind::warning);
  EXPECT_THAT(event->what, HasSubstr("before the first visit: other processes use"));
  EXPECT_FALSE(event->fix.empty());
}

TEST(LookAtMachine, IsWaitedForUntilItIsQuiet) {
  Machine machine(12);
  Reported reported;
  const MachineCheck look = look_at_machine(machine.look_around(), 60, &reported);
  EXPECT_TRUE(look.is_quiet());
  EXPECT_GE(look.waited_s, 10);
  EXPECT_LE(look.waited_s, 14);
  EXPECT_THAT(reported.waits, ElementsAre(60));
}

TEST(LookAtMachine, IsMeasuredAllTheSameWhenPatienceEnds) {
  Machine machine(1e9);
  const MachineCheck look = look_at_machine(machine.look_around(), 60, nullptr);
  EXPECT_FALSE(look.is_quiet());
  EXPECT_EQ(look.waited_s, 60);
  EXPECT_THAT(event_of(look)->what, HasSubstr("after 60 s of waiting"));
}

TEST(LookAtMachine, IsNotWaitedForLongerThanAsked) {
  Machine machine(1e9);
  EXPECT_EQ(look_at_machine(machine.look_around(), 3, nullptr).waited_s, 3);
}

TEST(LookAtMachine, AnInterruptionEndsTheWait) {
  Machine machine(1e9);
  machine.stopped_at_s = 10;
  EXPECT_LT(look_at_machine(machine.look_around(), 600, nullptr).waited_s, 12);
}

TEST(LookAtMachine, TellsStealAndAGovernorThatSavesPower) {
  Machine machine(0);
  machine.steal = 0.1;
  machine.governor = "powersave";
  const MachineCheck look = look_at_machine(machine.look_around(), 0, nullptr);
  EXPECT_THAT(look.disturbances, ElementsAre(Disturbance::steal));
  EXPECT_THAT(in_words(look), HasSubstr("the hypervisor took CPU time away (at most 10 %)"));
  EXPECT_THAT(in_words(look), HasSubstr("governor is powersave"));
}

TEST(LookAtMachine, AClockOfAnIdleGpuSaysNothing) {
  Machine machine(0);
  IdleCheck with = machine.look_around();
  with.add_gpus = [](schema::Fitness& fitness) {
    fitness.clock_ratio = 0.1;
    fitness.other_gpu_processes = 2;
  };
  EXPECT_THAT(look_at_machine(with, 0, nullptr).disturbances, ElementsAre(Disturbance::gpu_shared));
}

}  // namespace
}  // namespace batchscope::measure
