#include "batchscope/serving/batcher_core.hpp"

#include <algorithm>

#include "batcher_state.hpp"
#include "batchscope/base/memory_words.hpp"
#include "prefix.hpp"

namespace batchscope::serving::detail {
Failure failure_of(Refusal reason) {
  switch (reason) {
    case Refusal::deadline:
      return {reason, "it timed out in the queue"};
    case Refusal::cancelled:
      return {reason, "it was cancelled"};
    case Refusal::queue_full:
      return {reason, "the queue is full"};
    case Refusal::shut_down:
      return {reason, "the batcher was shut down"};
    case Refusal::out_of_memory:
      return {reason, "it does not fit into memory, not even alone"};
    case Refusal::failed:
      break;
  }
  return {reason, "it failed"};
}

PieceResult judged(const base::Error& error, std::exception_ptr thrown) {
  const base::Error read = base::judge_memory(error);
  Failure failure{Refusal::failed, base::to_string(read), std::move(thrown)};
  if (read.kind == base::ErrorKind::out_of_memory) {
    failure.reason = Refusal::out_of_memory;
    return {PieceEnd::out_of_memory, std::move(failure)};
  }
  const bool perhaps = base::is_perhaps_memory(read.what);
  return {perhaps ? PieceEnd::perhaps_out_of_memory : PieceEnd::failed, std::move(failure)};
}

BatcherCore::State::Inside::Inside(State& state) : state_(state) {
  ++state_.inside_;
}

BatcherCore::State::Inside::~Inside() {
  if (--state_.inside_ == 0 && state_.closed_) state_.outside_.notify_all();
}

BatcherCore::State::State(BatcherOptions options, RunPiece run)
    : options_(std::move(options)), run_(std::move(run)), ceiling_(options_.ceiling) {
  for (int instance = 0; instance < std::max(1, options_.instances); ++instance) {
    threads_.emplace_back([this, instance] { work(instance); });
  }
  watch_ = std::thread([this] { watch_deadlines(); });
}

uint64_t BatcherCore::State::submit(EntryPtr entry, const SubmitOptions& options) {
  const base::Nanoseconds now = this->now();
  entry->tokens = std::max<int64_t>(1, options.tokens);
  if (options.timeout) entry->deadline = later(now, *options.timeout);
  Lock lock(mutex_);
  const Entered entered = let_in(lock, std::move(entry), now);
  lock.unlock();
  if (!entered.wake && !entered.sooner) return entered.id;
  if (entered.wake) work_.notify_one();
  if (entered.sooner) late_.notify_one();
  notifying_.fetch_sub(1, std::memory_order_release);  // from here on this may be gone
  return entered.id;
}

BatcherCore::State::Entered BatcherCore::State::let_in(Lock& lock, EntryPtr entry,
                                                       base::Nanoseconds now) {
  const Inside inside(*this);
  if (const auto refusal = wait_for_room(lock, entry->deadline)) {
    ++counters_.submitted;
    std::vector<EntryPtr> refused;
    refused.push_back(std::move(entry));
    refuse(lock, std::move(refused), *refusal);
    return {};
  }
  ++counters_.submitted;
  Entered entered{.id = entry->id = ++last_id_};
  entered.sooner = enter(std::move(entry), now);
  entered.wake = asleep_ > 0 && line_.size() >= wake_at_;
  // The thread that wakes sets it anew: until then nobody else needs to be told.
  if (entered.wake) wake_at_ = std::numeric_limits<std::size_t>::max();
  if (entered.wake || entered.sooner) notifying_.fetch_add(1, std::memory_order_relaxed);
  return entered;
}

std::optional<Refusal> BatcherCore::State::wait_for_room(Lock& lock, base::Nanoseconds deadline) {
  const std::size_t capacity = std::max<std::size_t>(1, options_.capacity);
  while (!closed_ && line_.size() >= capacity) {
    if (options_.when_full == WhenFull::reject || is_own_thread()) return Refusal::queue_full;
    if (now() >= deadline) return Refusal::deadline;
    ++blocked_;
    options_.clock->wait(not_full_, lock, deadline.count());
    --blocked_;
  }
  if (closed_) return Refusal::shut_down;
  return std::nullopt;
}

bool BatcherCore::State::enter(EntryPtr entry, base::Nanoseconds now) {
  const bool sooner = entry->deadline < first_deadline_;
  if (sooner) first_deadline_ = entry->deadline;
  const Waiting request{now, entry->tokens};
  line_.push(request, std::move(entry));
  return sooner;
}

bool BatcherCore::State::cancel(uint64_t id) {
  Lock lock(mutex_);
  // Ids ascend along the queue.
  std::size_t low = 0, high = line_.size();
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    (line_.at(middle)->id < id ? low : high) = line_.at(middle)->id < id ? middle + 1 : middle;
  }
  if (low == line_.size() || line_.at(low)->id != id) return false;
  const Inside inside(*this);
  withdraw(lock, std::span(&low, 1), Refusal::cancelled);
  return true;
}

void BatcherCore::State::shut_down(Pending pending) {
  {
    Lock lock(mutex_);
    closed_ = true;
    if (pending == Pending::refuse && !line_.empty()) {
      const Inside inside(*this);
      withdraw(lock, first_places(line_.size()), Refusal::shut_down);
    }
  }
  work_.notify_all();
  not_full_.notify_all();
  std::call_once(joined_, [this] {
    for (std::thread& thread : threads_) thread.join();
    {
      // The queue is empty for good; with the lock held the watch is asleep, or has yet to look.
      const Lock lock(mutex_);
      late_.notify_one();
    }
    watch_.join();
  });
  Lock lock(mutex_);
  outside_.wait(lock, [this] { return inside_ == 0; });
  lock.unlock();
  // Those have no more to do than to notify.
  while (notifying_.load(std::memory_order_acquire) > 0) std::this_thread::yield();
}

BatcherCounters BatcherCore::State::counters() const {
  const Lock lock(mutex_);
  BatcherCounters now = counters_;
  now.waiting = static_cast<int64_t>(line_.size());
  if (ceiling_.limit() != MemoryCeiling::kNone) now.ceiling = ceiling_.limit();
  return now;
}

int64_t& BatcherCore::State::counter_of(Refusal reason) {
  switch (reason) {
    case Refusal::out_of_memory:
      return counters_.out_of_memory;
    case Refusal::deadline:
      return counters_.deadline;
    case Refusal::cancelled:
      return counters_.cancelled;
    case Refusal::queue_full:
      return counters_.queue_full;
    case Refusal::shut_down:
      return counters_.shut_down;
    case Refusal::failed:
      break;
  }
  return counters_.failed;
}

void BatcherCore::State::refuse(Lock& lock, std::vector<EntryPtr> entries, Refusal reason) {
  refuse(lock, std::move(entries), failure_of(reason));
}

void BatcherCore::State::refuse(Lock& lock, std::vector<EntryPtr> entries, const Failure& failure) {
  counter_of(failure.reason) += static_cast<int64_t>(entries.size());
  lock.unlock();
  for (const EntryPtr& entry : entries) entry->refuse(failure);
  entries.clear();
  lock.lock();
}

void BatcherCore::State::withdraw(Lock& lock, std::span<const std::size_t> places, Refusal reason) {
  std::vector<EntryPtr> taken = take(places);
  // Who sleeps decided so for a longer queue, and has to see what the next request makes of this.
  if (wake_at_ < std::numeric_limits<std::size_t>::max()) {
    wake_at_ = std::min(wake_at_, line_.size() + 1);
  }
  refuse(lock, std::move(taken), reason);
}

std::vector<EntryPtr> BatcherCore::State::take(std::span<const std::size_t> places) {
  std::vector<EntryPtr> taken = line_.take(places);
  if (blocked_ > 0) not_full_.notify_all();
  return taken;
}

BatcherCore::BatcherCore(BatcherOptions options, RunPiece run)
    : state_(std::make_unique<State>(std::move(options), std::move(run))) {}

BatcherCore::~BatcherCore() {
  state_->shut_down(Pending::run);
}

uint64_t BatcherCore::submit(EntryPtr entry, const SubmitOptions& options) {
  return state_->submit(std::move(entry), options);
}
bool BatcherCore::cancel(uint64_t id) {
  return state_->cancel(id);
}
void BatcherCore::shut_down(Pending pending) {
  state_->shut_down(pending);
}
BatcherCounters BatcherCore::counters() const {
  return state_->counters();
}

}  // namespace batchscope::serving::detail
