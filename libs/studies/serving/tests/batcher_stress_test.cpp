// Everything at once; to be run under the thread sanitizer too.

#include <unistd.h>

#include <array>
#include <atomic>
#include <fstream>

#include "batchscope/serving/batcher.hpp"
#include "batchscope/stats/rng.hpp"
#include "testing/serving/tables.hpp"

namespace batchscope::serving {
namespace {

constexpr int kProducers = 8;
constexpr int kEach = 62'500;     // in each of two runs: 1,000,000 requests in all
constexpr int kChecksEach = 100;  // requests, at the counters
constexpr int kInstances = 2;
constexpr int64_t kMaxBatch = 32;
constexpr std::size_t kCapacity = 256;
// From here on all memory that the batcher needs has been taken.
constexpr int64_t kSettled = kProducers * kEach / 5;
// Less than ten bytes for each request that comes after.
constexpr int64_t kMayGrow = 4 << 20;

// The address sanitizer keeps freed memory for a while, and the thread sanitizer takes several
// bytes of its own for each byte that was ever in use: what is resident is not what the batcher
// holds.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#elif defined(__has_feature)
constexpr bool kSanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool kSanitized = false;
#endif

int64_t resident_bytes() {
  int64_t virtual_pages = 0, pages = 0;
  std::ifstream("/proc/self/statm") >> virtual_pages >> pages;
  return pages * sysconf(_SC_PAGESIZE);
}

// A request that counts how many of its kind are alive.
class Counted {
 public:
  explicit Counted(int value) : value_(value) { add(1); }
  Counted(Counted&& other) noexcept : value_(other.value_) { add(1); }
  Counted& operator=(Counted&& other) noexcept = default;
  ~Counted() { add(-1); }

  int value() const { return value_; }
  static int alive() { return alive_; }
  static int most() { return most_; }
  static void reset() { most_ = 0; }

 private:
  static void add(int by) {
    const int now = alive_ += by;
    int most = most_;
    while (now > most && !most_.compare_exchange_weak(most, now)) {
    }
  }
  inline static std::atomic<int> alive_ = 0, most_ = 0;
  int value_;
};

using Stressed = Batcher<Counted, int>;

class Storm {
 public:
  explicit Storm(WhenFull when_full)
      : answers_(kProducers * kEach),
        batcher_([this](std::span<const Counted> requests,
                        int instance) { return run(requests, instance); },
                 options(when_full)) {}

  void rage() {
    std::vector<std::thread> producers;
    for (int p = 0; p < kProducers; ++p) producers.emplace_back([this, p] { produce(p); });
    for (std::thread& producer : producers) producer.join();
    batcher_.shut_down();
  }

  void check() const {
    for (std::size_t i = 0; i < answers_.size(); ++i) {
      ASSERT_EQ(answers_[i].load(), 1) << "request " << i;
    }
    EXPECT_EQ(wrong_, 0);
    const BatcherCounters c = batcher_.counters();
    EXPECT_EQ(c.submitted, kProducers * kEach);
    EXPECT_EQ(c.responses, responses_);
    EXPECT_EQ(answered(c), c.submitted);
    EXPECT_EQ(c.waiting + c.running + c.shut_down, 0);
    for (const int64_t happened :
         {c.responses, c.failed, c.out_of_memory, c.deadline, c.cancelled, c.out_of_memory_runs}) {
      EXPECT_GT(happened, 0);
    }
  }

  // Bytes that this process took between the first fifth of the answers and the last.
  int64_t grown() const { return last_bytes_ - settled_bytes_; }

 private:
  static BatcherOptions options(WhenFull when_full) {
    return {.policy = make_policy(TokenBudget{.max_tokens = 512,
                                              .max_batch = kMaxBatch,
                                              .max_delay = std::chrono::microseconds(50),
                                              .bucket_ends = {16, 32}}),
            .instances = kInstances,
            .capacity = kCapacity,
            .when_full = when_full,
            .ceiling = {.recover_after = 4}};
  }

  static int64_t answered(const BatcherCounters& c) {
    return c.responses + c.failed + c.out_of_memory + c.deadline + c.cancelled + c.queue_full +
           c.shut_down;
  }

  // Whoever looks meanwhile sees all counters of one moment.
  void look() {
    const BatcherCounters c = batcher_.counters();
    if (answered(c) + c.waiting + c.running > c.submitted) ++wrong_;
  }

  base::Result<std::vector<int>> run(std::span<const Counted> requests, int instance) {
    stats::Rng& rng = rngs_[static_cast<std::size_t>(instance)];
    const uint64_t chance = rng.below(100);
    if (chance < 3) throw std::runtime_error("injected");
    if (chance < 8 || (chance < 40 && requests.size() > 24)) {
      return base::Error{base::ErrorKind::out_of_memory, "injected", "", ""};
    }
    std::vector<int> responses;
    for (const Counted& request : requests) responses.push_back(2 * request.value());
    return responses;
  }

  void answered(int request, const ResponseFuture<int>& answer) {
    answers_[static_cast<std::size_t>(request)].fetch_add(1);
    const int64_t answered = ++answered_;
    if (answered == kSettled) settled_bytes_ = resident_bytes();
    if (answered == kProducers * kEach) last_bytes_ = resident_bytes();
    if (!answer) return;
    ++responses_;
    if (answer.value() != 2 * request) ++wrong_;
  }

  void produce(int producer) {
    stats::Rng rng(static_cast<uint64_t>(producer) + 1);
    for (int i = 0; i < kEach; ++i) {
      if (i % kChecksEach == 0) look();
      const int request = producer * kEach + i;
      SubmitOptions options{.tokens = static_cast<int64_t>(1 + rng.below(64))};
      const uint64_t kind = rng.below(100);
      if (kind < 10) options.timeout = std::chrono::microseconds(rng.below(200));
      if (kind == 99) {
        answered(request, batcher_.submit(Counted(request), options).answer.get());
        continue;
      }
      const uint64_t id = batcher_.submit(
          Counted(request),
          [this, request](const ResponseFuture<int>& answer) { answered(request, answer); },
          options);
      if (kind >= 10 && kind < 20) batcher_.cancel(id);
    }
  }

  std::vector<std::atomic<int>> answers_;
  std::atomic<int64_t> responses_ = 0, wrong_ = 0, answered_ = 0;
  std::atomic<int64_t> settled_bytes_ = 0, last_bytes_ = 0;
  std::array<stats::Rng, kInstances> rngs_{stats::Rng(101), stats::Rng(102)};
  Stressed batcher_;
};

class BatcherStress : public testing::TestWithParam<WhenFull> {};

TEST_P(BatcherStress, EveryRequestIsAnsweredExactlyOnceAndMemoryStaysFlat) {
  Counted::reset();
  Storm storm(GetParam());
  storm.rage();
  storm.check();
  EXPECT_EQ(Counted::alive(), 0);
  // Waiting, in a submit (moved twice on its way in), or in a batch (there and moved out of).
  EXPECT_LE(Counted::most(), static_cast<int>(kCapacity) + 3 * kProducers +
                                 2 * kInstances * static_cast<int>(kMaxBatch));
  RecordProperty("grown_bytes", std::to_string(storm.grown()));
  if (!kSanitized) {
    EXPECT_LE(storm.grown(), kMayGrow);
  }
}
INSTANTIATE_TEST_SUITE_P(WhenFull, BatcherStress,
                         ::testing::Values(WhenFull::block, WhenFull::reject));

}  // namespace
}  // namespace batchscope::serving
