// How a batcher ends.

#include <atomic>
#include <thread>

#include "doubler.hpp"
#include "watched_clock.hpp"

namespace batchscope::serving {
namespace {

TEST(Batcher, ShuttingDownRunsOrRefusesWhatWaits) {
  const auto policy =
      make_policy(FixedTimeout{.max_batch = 100, .max_delay = milliseconds(60'000)});
  Doubler runs(doubled, {.policy = policy});
  auto waits = runs.submit(1);
  runs.shut_down();
  EXPECT_EQ(waits.answer.get().value(), 2);
  auto after = runs.submit(2);
  EXPECT_EQ(reason_of(after), Refusal::shut_down);
  runs.shut_down(Pending::refuse);  // again: nothing to do

  Doubler refuses(doubled, {.policy = policy});
  auto refused = refuses.submit(1);
  refuses.shut_down(Pending::refuse);
  EXPECT_EQ(reason_of(refused), Refusal::shut_down);

  std::future<ResponseFuture<int>> orphan;
  {
    Doubler gone(doubled, {.policy = policy});
    orphan = gone.submit(3).answer;
  }
  EXPECT_EQ(orphan.get().value(), 6);
}

TEST(Batcher, DelaysAndTimeoutsMayBeEndless) {
  constexpr auto kEndless = base::Nanoseconds::max();
  const auto clock = std::make_shared<ManualClock>();
  clock->advance(milliseconds(1));
  Doubler batcher(
      doubled,
      {.policy = make_policy(FixedTimeout{.max_batch = 2, .max_delay = kEndless}), .clock = clock});
  const SubmitOptions patient{.timeout = kEndless};
  auto first = batcher.submit(1, patient);
  auto second = batcher.submit(2, patient);
  EXPECT_EQ(first.answer.get().value() + second.answer.get().value(), 6);
  auto third = batcher.submit(3, patient);
  EXPECT_EQ(third.answer.wait_for(milliseconds(0)), std::future_status::timeout);
  batcher.shut_down();
  EXPECT_EQ(third.answer.get().value(), 6);
}

TEST(Batcher, ShuttingDownEndsThoughThePolicyNeverDecides) {
  class Undecided : public Policy {
    Decision decide(std::span<const Waiting>, base::Nanoseconds, const Limits&) const override {
      return {};
    }
    std::string_view name() const override { return "undecided"; }
    std::string settings() const override { return ""; }
  };
  Doubler batcher(doubled, {.policy = std::make_shared<Undecided>()});
  auto first = batcher.submit(1), second = batcher.submit(2);
  batcher.shut_down();
  EXPECT_EQ(first.answer.get().value() + second.answer.get().value(), 6);
}

TEST(Batcher, ACallerThatWaitsForRoomIsAnsweredAtShutDown) {
  Gate gate;
  Doubler batcher(gate.run(), {.policy = make_policy(TakeAll{.max_batch = 1}), .capacity = 1});
  auto running = batcher.submit(0);
  gate.wait_until_entered();
  auto queued = batcher.submit(1);
  std::thread blocked([&] {
    auto refused = batcher.submit(2);
    EXPECT_EQ(reason_of(refused), Refusal::shut_down);
  });
  std::thread closing([&] { batcher.shut_down(Pending::refuse); });
  blocked.join();
  gate.open();
  closing.join();
  EXPECT_EQ(running.answer.get().value(), 0);
  EXPECT_EQ(reason_of(queued), Refusal::shut_down);
}

// Its callback takes long, and shutting down waits for it all the same.
TEST(Batcher, ShuttingDownReturnsWhenBlockedCallersAreAnswered) {
  const auto clock = std::make_shared<WatchedClock>();
  Gate gate;
  Doubler batcher(gate.run(),
                  {.policy = make_policy(TakeAll{.max_batch = 1}), .capacity = 1, .clock = clock});
  auto running = batcher.submit(0);
  gate.wait_until_entered();
  auto queued = batcher.submit(1);
  std::atomic<bool> answered = false;
  std::thread blocked([&] {
    const auto slow = [&](const ResponseFuture<int>& answer) {
      EXPECT_EQ(answer.failure().reason, Refusal::shut_down);
      gate.open();
      for (int i = 0; i < 20'000; ++i) std::this_thread::yield();
      answered = true;
    };
    batcher.submit(2, slow, {.timeout = milliseconds(5)});
  });
  clock->wait_until_asleep(milliseconds(5), 1);
  batcher.shut_down(Pending::refuse);
  EXPECT_TRUE(answered);
  blocked.join();
}

}  // namespace
}  // namespace batchscope::serving
