// What a batcher does when memory runs out.

#include <algorithm>
#include <stdexcept>

#include "doubler.hpp"

namespace batchscope::serving {
namespace {

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

TEST(Batcher, WhatDoesNotFitAloneIsReportedSo) {
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

// Fails with these words where more than `most` are run.
Doubler::Run fails_above(std::size_t most, const char* words, std::vector<std::size_t>& tried) {
  return [most, words, &tried](std::span<const int> requests,
                               int instance) -> base::Result<std::vector<int>> {
    tried.push_back(requests.size());
    if (requests.size() > most) throw std::runtime_error(words);
    return doubled(requests, instance);
  };
}

TEST(Batcher, TheWordsOfALibraryAreOutOfMemory) {
  for (const char* const words :
       {"CUBLAS_STATUS_ALLOC_FAILED", "Failed to allocate memory for requested buffer of size 1"}) {
    std::vector<std::size_t> tried;
    Doubler batcher(
        fails_above(4, words, tried),
        {.policy = make_policy(FixedTimeout{.max_batch = 8, .max_delay = milliseconds(60'000)})});
    for (int i = 0; i < 8; ++i) (void)batcher.submit(i);
    batcher.shut_down();
    EXPECT_THAT(tried, ElementsAre(8, 4, 4)) << words;
    EXPECT_EQ(batcher.counters().responses, 8);
    EXPECT_EQ(batcher.counters().ceiling, 4);
  }
}

constexpr const char* kNoProof = "NewRT: memory alloc rejected";

TEST(Batcher, WordsThatAreNoProofAreMemoryOnceASmallerBatchRuns) {
  std::vector<std::size_t> tried;
  Doubler batcher(
      fails_above(2, kNoProof, tried),
      {.policy = make_policy(FixedTimeout{.max_batch = 8, .max_delay = milliseconds(60'000)})});
  for (int i = 0; i < 8; ++i) (void)batcher.submit(i);
  batcher.shut_down();
  EXPECT_THAT(tried, ElementsAre(8, 4, 2, 2, 4, 2, 2));
  EXPECT_EQ(batcher.counters().responses, 8);
  EXPECT_EQ(batcher.counters().out_of_memory_runs, 3);
  EXPECT_EQ(batcher.counters().ceiling, 2);
}

TEST(Batcher, WordsThatAreNoProofAreAFailureWhereNothingRuns) {
  std::vector<std::size_t> tried;
  Doubler batcher(
      fails_above(0, kNoProof, tried),
      {.policy = make_policy(FixedTimeout{.max_batch = 8, .max_delay = milliseconds(60'000)})});
  std::vector<Doubler::Submitted> submitted;
  for (int i = 0; i < 8; ++i) submitted.push_back(batcher.submit(i));
  for (auto& each : submitted) EXPECT_EQ(reason_of(each), Refusal::failed);
  batcher.shut_down();
  EXPECT_THAT(tried, ElementsAre(8, 4, 2, 1));
  const BatcherCounters counters = batcher.counters();
  EXPECT_EQ(counters.failed, 8);
  EXPECT_EQ(counters.running, 0);
  EXPECT_FALSE(counters.ceiling);
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

// While one instance finds that a request fits nowhere, the other finds that four are too many.
TEST(Batcher, WhatAnotherInstanceLearnsOfTheMemoryStays) {
  std::latch both_run(2), second_knows(1);
  const auto fits_two = fits(2);
  const auto run = [&](std::span<const int> requests, int instance) {
    if (requests.size() == 4) both_run.arrive_and_wait();
    if (requests.front() == 1) second_knows.wait();  // alone: 13 has been refused
    if (requests.front() == 4 && requests.size() == 2) second_knows.count_down();
    return fits_two(requests, instance);
  };
  Doubler batcher(
      run, {.policy = make_policy(FixedTimeout{.max_batch = 4, .max_delay = milliseconds(60'000)}),
            .instances = 2});
  for (const int request : {13, 1, 2, 3, 4, 5, 6, 7}) (void)batcher.submit(request);
  batcher.shut_down();
  EXPECT_EQ(batcher.counters().ceiling, 1);
}

}  // namespace
}  // namespace batchscope::serving
