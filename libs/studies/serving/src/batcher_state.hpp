#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "batchscope/serving/batcher_core.hpp"
#include "batchscope/serving/waiting_line.hpp"

namespace batchscope::serving::detail {

Failure failure_of(Refusal reason);

// The queue, its counters and the threads that serve it. All members but options_, run_ and
// notifying_ are guarded by mutex_; no request is answered with it held.
class BatcherCore::State {
 public:
  State(BatcherOptions options, RunPiece run);

  uint64_t submit(EntryPtr entry, const SubmitOptions& options);
  bool cancel(uint64_t id);
  void shut_down(Pending pending);
  BatcherCounters counters() const;

 private:
  using Lock = std::unique_lock<std::mutex>;

  struct TooLarge {
    std::span<const EntryPtr> piece;
    int64_t padded_tokens = 0;
  };
  // What is learnt of the memory while a batch is run, whole and in pieces.
  struct Attempts {
    MemoryCeiling ceiling_before;
    int64_t runs_before = 0;  // out_of_memory_runs of all instances
    int64_t out_of_memory_runs = 0;
    bool some_fit = false;
    bool one_fits_nowhere = false;
    // Of more than one request; in the end without those that held one that fits nowhere.
    std::vector<TooLarge> too_large{};
    // The same of those whose words are no proof: they are once another piece did fit.
    std::vector<TooLarge> perhaps_too_large{};
  };

  enum class Next { go_on, halve, give_up };

  // A thread that is in submit, cancel or shut_down and may have to answer a request: shut_down
  // returns after it. Made and unmade with the lock held.
  class Inside {
   public:
    explicit Inside(State& state);
    ~Inside();
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

   private:
    State& state_;
  };
  // A request in the queue, and whom to tell; id 0: it was refused.
  struct Entered {
    uint64_t id = 0;
    bool wake = false;    // a thread that sleeps
    bool sooner = false;  // the watch
  };

  Entered let_in(Lock& lock, EntryPtr entry, base::Nanoseconds now);
  // The reason why a request cannot enter; waits for room where the options say so.
  std::optional<Refusal> wait_for_room(Lock& lock, base::Nanoseconds deadline);
  // True: its deadline comes before all others, so that the watch has to be told.
  bool enter(EntryPtr entry, base::Nanoseconds now);
  // Counts and answers; the lock is released meanwhile.
  void refuse(Lock& lock, std::vector<EntryPtr> entries, Refusal reason);
  void refuse(Lock& lock, std::vector<EntryPtr> entries, const Failure& failure);
  // The same for requests that wait.
  void withdraw(Lock& lock, std::span<const std::size_t> places, Refusal reason);

  void work(int instance);
  // The caller is a thread of this batcher, in a callback or the run function: if it waited for
  // room, nobody would make any.
  bool is_own_thread() const;
  // Answers those whose time runs out, also while every other thread is in a batch.
  void watch_deadlines();
  bool refuse_late(Lock& lock, base::Nanoseconds now);
  void wait_for_work(Lock& lock, std::size_t wake_at, base::Nanoseconds until);
  std::vector<EntryPtr> take(std::span<const std::size_t> places);
  void run_batch(Lock& lock, std::vector<EntryPtr> batch, int instance);
  // All of a batch, halved as often as memory asks for it.
  void run_pieces(std::span<EntryPtr> batch, int instance, Attempts& attempts);
  // One run and its counting. Of one request that nothing is left to be halved of: `why_not`.
  Next run_piece(std::span<EntryPtr> piece, int instance, Attempts& attempts, Failure& why_not);
  void count_piece(std::span<const EntryPtr> piece, PieceEnd end);
  void refuse_running(std::span<EntryPtr> piece, const Failure& failure);
  base::Nanoseconds now() const { return base::Nanoseconds(options_.clock->now_ns()); }
  void revise_ceiling(const Attempts& attempts);
  void believe_perhaps(const Attempts& attempts);
  int64_t& counter_of(Refusal reason);

  const BatcherOptions options_;
  const RunPiece run_;

  mutable std::mutex mutex_;
  std::condition_variable work_;      // for the threads: the queue has what they wait for
  std::condition_variable late_;      // for watch_: an earlier deadline, or the end
  std::condition_variable not_full_;  // for submitters
  std::condition_variable outside_;   // for shut_down: nobody is inside
  WaitingLine<EntryPtr> line_;
  MemoryCeiling ceiling_;
  BatcherCounters counters_;
  uint64_t last_id_ = 0;
  bool closed_ = false;
  int inside_ = 0;
  // Submitters that let go of the lock and are about to notify. An atomic, so that they need not
  // take the lock again.
  std::atomic<int> notifying_ = 0;
  int blocked_ = 0;          // submitters in not_full_
  int asleep_ = 0;           // threads in work_
  std::size_t wake_at_ = 1;  // length of the queue that one of them has to see
  base::Nanoseconds first_deadline_{base::Nanoseconds::max()};  // of the queue, or earlier

  std::once_flag joined_;
  std::vector<std::thread> threads_;
  std::thread watch_;
};

}  // namespace batchscope::serving::detail
