#include "batchscope/serving/batcher.hpp"

#include <atomic>

#include "doubler.hpp"
#include "watched_clock.hpp"

namespace batchscope::serving {
namespace {

TEST(Batcher, AnswersEachRequestWithItsOwnResponse) {
  Doubler batcher(doubled, {.policy = make_policy(TakeAll{.max_batch = 4}), .instances = 2});
  std::vector<Doubler::Submitted> submitted;
  for (int i = 0; i < 100; ++i) submitted.push_back(batcher.submit(i));
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(submitted[static_cast<std::size_t>(i)].answer.get().value(), 2 * i);
  }
  batcher.shut_down();
  const BatcherCounters counters = batcher.counters();
  EXPECT_EQ(counters.submitted, 100);
  EXPECT_EQ(counters.responses, 100);
  EXPECT_EQ(counters.tokens, 100);
  EXPECT_EQ(counters.waiting + counters.running, 0);
  for (const auto& [size, count] : counters.batch_sizes) EXPECT_LE(size, 4);
}

TEST(Batcher, FormsTheBatchWhenTheDelayHasPassedAndNotBefore) {
  const auto clock = std::make_shared<ManualClock>();
  Doubler batcher(
      doubled, {.policy = make_policy(FixedTimeout{.max_batch = 4, .max_delay = milliseconds(10)}),
                .clock = clock});
  auto first = batcher.submit(1);
  clock->advance(milliseconds(6));
  auto second = batcher.submit(2);
  clock->advance(milliseconds(4));  // 10 ms after the first
  EXPECT_EQ(first.answer.get().value(), 2);
  EXPECT_EQ(second.answer.get().value(), 4);
  // A full batch waits for nothing.
  std::vector<Doubler::Submitted> four;
  for (int i = 0; i < 4; ++i) four.push_back(batcher.submit(i));
  for (auto& submitted : four) EXPECT_TRUE(submitted.answer.get().has_value());
  batcher.shut_down();
  EXPECT_THAT(batcher.counters().batch_sizes, ElementsAre(std::pair(2, 1), std::pair(4, 1)));
}

TEST(Batcher, ALateRequestIsAnsweredWithoutRunning) {
  const auto clock = std::make_shared<ManualClock>();
  Doubler batcher(
      doubled, {.policy = make_policy(FixedTimeout{.max_batch = 4, .max_delay = milliseconds(100)}),
                .clock = clock});
  auto patient = batcher.submit(1);
  auto late = batcher.submit(2, {.timeout = milliseconds(10)});
  auto at_once = batcher.submit(3, {.timeout = milliseconds(0)});
  EXPECT_EQ(reason_of(at_once), Refusal::deadline);
  clock->advance(milliseconds(10));
  EXPECT_EQ(reason_of(late), Refusal::deadline);
  clock->advance(milliseconds(90));
  EXPECT_EQ(patient.answer.get().value(), 2);
}

TEST(Batcher, ALateRequestIsAnsweredWhileEveryInstanceIsBusy) {
  const auto clock = std::make_shared<ManualClock>();
  Gate gate;
  Doubler batcher(gate.run(), {.policy = make_policy(TakeAll{.max_batch = 1}), .clock = clock});
  auto running = batcher.submit(1, {.timeout = milliseconds(5)});
  gate.wait_until_entered();
  auto patient = batcher.submit(2);
  auto later = batcher.submit(3, {.timeout = milliseconds(20)});
  auto sooner = batcher.submit(4, {.timeout = milliseconds(10)});
  clock->advance(milliseconds(10));
  EXPECT_EQ(reason_of(sooner), Refusal::deadline);
  EXPECT_EQ(batcher.counters().waiting, 2);
  clock->advance(milliseconds(10));
  EXPECT_EQ(reason_of(later), Refusal::deadline);
  gate.open();
  EXPECT_EQ(running.answer.get().value(), 2);  // what runs is not late
  EXPECT_EQ(patient.answer.get().value(), 4);
}

TEST(Batcher, CancelAnswersWhatStillWaitsAndNothingElse) {
  Gate gate;
  Doubler batcher(gate.run(), {.policy = make_policy(TakeAll{.max_batch = 1})});
  auto running = batcher.submit(1);
  gate.wait_until_entered();
  auto waiting = batcher.submit(2);
  auto other = batcher.submit(3);
  EXPECT_TRUE(batcher.cancel(waiting.id));
  EXPECT_EQ(reason_of(waiting), Refusal::cancelled);
  EXPECT_FALSE(batcher.cancel(waiting.id));
  EXPECT_FALSE(batcher.cancel(running.id));
  EXPECT_FALSE(batcher.cancel(999));
  gate.open();
  EXPECT_EQ(running.answer.get().value(), 2);
  EXPECT_EQ(other.answer.get().value(), 6);
}

TEST(Batcher, TheCountersAddUpWhileACallerWaitsForRoom) {
  const auto clock = std::make_shared<WatchedClock>();
  Gate gate;
  Doubler batcher(gate.run(),
                  {.policy = make_policy(TakeAll{.max_batch = 1}), .capacity = 1, .clock = clock});
  auto running = batcher.submit(0);
  gate.wait_until_entered();
  auto queued = batcher.submit(1);
  std::thread blocked([&] { (void)batcher.submit(2, {.timeout = milliseconds(5)}); });
  clock->wait_until_asleep(milliseconds(5), 1);
  const BatcherCounters counters = batcher.counters();
  EXPECT_EQ(counters.submitted, 2);
  EXPECT_EQ(counters.waiting + counters.running, 2);
  gate.open();
  blocked.join();
  batcher.shut_down();
  EXPECT_EQ(batcher.counters().submitted, 3);
}

// The instance sleeps until there are four. Of the two that are left the next makes a full batch.
TEST(Batcher, AnInstanceChecksAgainWhenTheQueueHasBecomeShorter) {
  const auto clock = std::make_shared<WatchedClock>();
  const base::Nanoseconds due = milliseconds(10);
  Doubler batcher(doubled, {.policy = make_policy(TokenBudget{.max_tokens = 64, .max_delay = due}),
                            .clock = clock});
  std::vector<Doubler::Submitted> submitted;
  for (int i = 0; i < 3; ++i) {
    submitted.push_back(batcher.submit(i, {.tokens = 16}));
    clock->wait_until_asleep(due, i + 1);
  }
  EXPECT_TRUE(batcher.cancel(submitted[2].id));
  auto long_one = batcher.submit(3, {.tokens = 64});
  EXPECT_EQ(submitted[0].answer.get().value(), 0);
  EXPECT_EQ(submitted[1].answer.get().value(), 2);
  EXPECT_EQ(reason_of(submitted[2]), Refusal::cancelled);
  EXPECT_EQ(long_one.answer.get().value(), 6);
}

TEST(Batcher, AFullQueueRejectsWhereThatIsChosen) {
  Gate gate;
  Doubler batcher(gate.run(), {.policy = make_policy(TakeAll{.max_batch = 1}),
                               .capacity = 2,
                               .when_full = WhenFull::reject});
  auto running = batcher.submit(1);
  gate.wait_until_entered();
  auto second = batcher.submit(2);
  auto third = batcher.submit(3);
  auto fourth = batcher.submit(4);
  EXPECT_EQ(fourth.id, 0u);
  EXPECT_EQ(reason_of(fourth), Refusal::queue_full);
  gate.open();
  EXPECT_TRUE(second.answer.get().has_value() && third.answer.get().has_value());
  batcher.shut_down();
  EXPECT_EQ(batcher.counters().queue_full, 1);
}

TEST(Batcher, AFullQueueHoldsTheCallerUntilThereIsRoom) {
  Gate gate;
  Doubler batcher(gate.run(), {.policy = make_policy(TakeAll{.max_batch = 1}), .capacity = 1});
  auto running = batcher.submit(0);
  gate.wait_until_entered();
  auto queued = batcher.submit(1);
  auto late = batcher.submit(2, {.timeout = milliseconds(-1)});  // nobody waits longer than that
  EXPECT_EQ(reason_of(late), Refusal::deadline);
  std::atomic<int> accepted = 0;
  std::thread producer([&] {
    for (int i = 0; i < 3; ++i) {
      (void)batcher.submit(i);
      ++accepted;
    }
  });
  EXPECT_EQ(accepted, 0);
  gate.open();
  producer.join();
  EXPECT_EQ(accepted, 3);
}

// By a full queue it would be held for ever: its own thread is the one that makes room.
TEST(Batcher, ACallbackIsNotHeldByAFullQueue) {
  std::vector<Doubler::Submitted> more;
  std::latch called(1);
  Doubler batcher(doubled, {.policy = make_policy(TakeAll{.max_batch = 1}), .capacity = 1});
  batcher.submit(1, [&](const ResponseFuture<int>&) {
    more.push_back(batcher.submit(2));
    more.push_back(batcher.submit(3));
    called.count_down();
  });
  called.wait();
  EXPECT_EQ(more[0].answer.get().value(), 4);
  EXPECT_EQ(reason_of(more[1]), Refusal::queue_full);
}

TEST(Batcher, AnExceptionIsTheAnswerToItsFullBatch) {
  Doubler batcher(
      [](std::span<const int> requests, int instance) -> base::Result<std::vector<int>> {
        if (requests.front() < 0) throw std::runtime_error("negative");
        if (requests.front() == 0) return std::vector<int>{};
        if (requests.front() == 1) return base::Error{base::ErrorKind::failed, "one", "run", ""};
        return doubled(requests, instance);
      },
      {.policy = make_policy(FixedTimeout{.max_batch = 2, .max_delay = milliseconds(60'000)})});
  const auto pair_of = [&](int first, int second) {
    auto a = batcher.submit(first), b = batcher.submit(second);
    return std::pair(a.answer.get(), b.answer.get());
  };
  const auto thrown = pair_of(-1, 5);
  EXPECT_EQ(thrown.first.failure().message, "negative");
  EXPECT_THROW(std::rethrow_exception(thrown.second.failure().exception), std::runtime_error);
  const auto short_answer = pair_of(0, 5);
  EXPECT_EQ(short_answer.second.failure().message,
            "the run function gave 0 responses to 2 requests");
  EXPECT_THAT(pair_of(1, 5).second.failure().message, HasSubstr("one"));
  EXPECT_EQ(pair_of(4, 5).second.value(), 10);
}

TEST(Batcher, CallbacksAreCalledOnceAndMayThrow) {
  std::atomic<int> calls = 0;
  {
    Doubler batcher(doubled, {});
    for (int i = 0; i < 10; ++i) {
      batcher.submit(i, [&](const ResponseFuture<int>& answer) {
        EXPECT_TRUE(answer.has_value());
        ++calls;
        throw std::runtime_error("dropped");
      });
    }
  }
  EXPECT_EQ(calls, 10);
}

}  // namespace
}  // namespace batchscope::serving
