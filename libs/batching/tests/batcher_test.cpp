#include "batchscope/batching/batcher.hpp"

#include <atomic>
#include <latch>

#include "manual_clock.hpp"
#include "tables.hpp"

namespace batchscope::batching {
namespace {

using std::chrono::milliseconds;
using Doubler = Batcher<int, int>;

base::Result<std::vector<int>> doubled(std::span<const int> requests, int) {
  std::vector<int> responses;
  for (const int request : requests) responses.push_back(2 * request);
  return responses;
}

// Runs nothing before open() is called, and remembers the sizes of its batches.
class Gate {
 public:
  Doubler::Run run() {
    return [this](std::span<const int> requests, int instance) {
      entered_.count_down();
      open_.wait();
      return doubled(requests, instance);
    };
  }
  // Until the first batch runs.
  void wait_until_entered() { entered_.wait(); }
  void open() { open_.count_down(); }

 private:
  std::latch entered_{1};
  std::latch open_{1};
};

Refusal reason_of(Doubler::Submitted& submitted) {
  const auto answer = submitted.answer.get();
  EXPECT_FALSE(answer.has_value());
  return answer ? Refusal::failed : answer.failure().reason;
}

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

TEST(Batcher, OutOfMemoryHalvesTheBatchAndRemembers) {
  std::vector<std::size_t> tried;
  Doubler batcher(
      [&](std::span<const int> requests, int instance) -> base::Result<std::vector<int>> {
        tried.push_back(requests.size());
        if (requests.size() > 3) {
          return base::Error{base::ErrorKind::out_of_memory, "too large", "run", ""};
        }
        return doubled(requests, instance);
      },
      {.policy = make_policy(FixedTimeout{.max_batch = 8, .max_delay = milliseconds(60'000)})});
  std::vector<Doubler::Submitted> submitted;
  for (int i = 0; i < 8; ++i) submitted.push_back(batcher.submit(i));
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(submitted[static_cast<std::size_t>(i)].answer.get().value(), 2 * i);
  }
  auto more = batcher.submit(8);
  auto last = batcher.submit(9);  // with two the queue is full under the ceiling
  EXPECT_EQ(more.answer.get().value() + last.answer.get().value(), 34);
  batcher.shut_down();
  EXPECT_THAT(tried, ElementsAre(8, 4, 2, 2, 4, 2, 2, 2));
  EXPECT_EQ(batcher.counters().ceiling, 2);
  EXPECT_EQ(batcher.counters().out_of_memory_runs, 3);
  EXPECT_EQ(batcher.counters().responses, 10);
}

TEST(Batcher, WhatDoesNotFitAloneIsToldSo) {
  Doubler batcher(
      [](std::span<const int> requests, int instance) -> base::Result<std::vector<int>> {
        for (const int request : requests) {
          if (request == 13) throw std::bad_alloc();
        }
        return doubled(requests, instance);
      },
      {.policy = make_policy(FixedTimeout{.max_batch = 3, .max_delay = milliseconds(60'000)})});
  auto good = batcher.submit(1);
  auto bad = batcher.submit(13);
  auto other = batcher.submit(2);
  EXPECT_EQ(good.answer.get().value(), 2);
  EXPECT_EQ(reason_of(bad), Refusal::out_of_memory);
  EXPECT_EQ(other.answer.get().value(), 4);
  batcher.shut_down();
  EXPECT_FALSE(batcher.counters().ceiling);  // the others pay nothing for it
}

// Batches of up to `most` fit, and a request of 13 in none.
Doubler::Run fits(std::size_t most) {
  return [most](std::span<const int> requests, int instance) -> base::Result<std::vector<int>> {
    const bool never = std::find(requests.begin(), requests.end(), 13) != requests.end();
    if (never || requests.size() > most) throw std::bad_alloc();
    return doubled(requests, instance);
  };
}

std::optional<int64_t> ceiling_after(const Doubler::Run& run, const std::vector<int>& requests) {
  Doubler batcher(
      run, {.policy = make_policy(FixedTimeout{.max_batch = static_cast<int64_t>(requests.size()),
                                               .max_delay = milliseconds(60'000)})});
  for (const int request : requests) (void)batcher.submit(request);
  batcher.shut_down();
  return batcher.counters().ceiling;
}

TEST(Batcher, TheCeilingIsWhatPiecesSayThatCouldFit) {
  EXPECT_EQ(ceiling_after(fits(2), {13, 1, 2, 3, 4, 5, 6, 7}), 2);  // 4 to 7 were too many
  EXPECT_EQ(ceiling_after(fits(4), {13, 1, 2, 3, 4, 5, 6, 7}), std::nullopt);
  EXPECT_EQ(ceiling_after(fits(8), {13}), std::nullopt);
  EXPECT_EQ(ceiling_after(fits(8), {13, 13, 13, 13}), 1);  // memory may be out for everybody
}

TEST(Batcher, AnExceptionIsTheAnswerToItsWholeBatch) {
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

  std::future<Answer<int>> orphan;
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
  auto first = batcher.submit(1, {.timeout = kEndless});
  auto second = batcher.submit(2, {.timeout = kEndless});
  EXPECT_EQ(first.answer.get().value() + second.answer.get().value(), 6);
  auto third = batcher.submit(3, {.timeout = kEndless});
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

TEST(Batcher, CallbacksAreCalledOnceAndMayThrow) {
  std::atomic<int> calls = 0;
  {
    Doubler batcher(doubled, {});
    for (int i = 0; i < 10; ++i) {
      batcher.submit(i, [&](const Answer<int>& answer) {
        EXPECT_TRUE(answer.has_value());
        ++calls;
        throw std::runtime_error("dropped");
      });
    }
  }
  EXPECT_EQ(calls, 10);
}

}  // namespace
}  // namespace batchscope::batching
