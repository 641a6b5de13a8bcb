// What the threads of a batcher do: wait for a batch, run it, and again in pieces where it did not
// fit.

#include <algorithm>
#include <utility>

#include "batcher_state.hpp"
#include "prefix.hpp"

namespace batchscope::serving::detail {
namespace {

// The batcher that this thread belongs to.
thread_local const void* own_batcher = nullptr;

int64_t padded_tokens(std::span<const EntryPtr> piece) {
  int64_t longest = 1;
  for (const EntryPtr& entry : piece) longest = std::max(longest, entry->tokens);
  return longest * static_cast<int64_t>(piece.size());
}

// The others of its batch are there until all of it is answered.
bool was_refused(const EntryPtr& entry) {
  return entry == nullptr;
}

}  // namespace

bool BatcherCore::State::is_own_thread() const {
  return own_batcher == this;
}

void BatcherCore::State::work(int instance) {
  own_batcher = this;
  Lock lock(mutex_);
  while (true) {
    const base::Nanoseconds now = this->now();
    if (refuse_late(lock, now)) continue;
    if (line_.empty()) {
      if (closed_) return;
      wait_for_work(lock, 1, base::Nanoseconds::max());
      continue;
    }
    Decision decision = options_.policy->decide(line_.waiting(), closed_ ? kNoMoreWaiting : now,
                                                {.max_tokens = ceiling_.limit()});
    if (closed_ && decision.members.empty()) decision.members = {0};
    if (decision.members.empty()) {
      wait_for_work(lock, decision.wake_at, decision.until);
    } else {
      run_batch(lock, take(decision.members), instance);
    }
  }
}

void BatcherCore::State::watch_deadlines() {
  own_batcher = this;
  Lock lock(mutex_);
  while (!closed_ || !line_.empty()) {
    if (refuse_late(lock, now())) continue;
    options_.clock->wait(late_, lock, first_deadline_.count());
  }
}

bool BatcherCore::State::refuse_late(Lock& lock, base::Nanoseconds now) {
  if (now < first_deadline_) return false;
  std::vector<std::size_t> late;
  first_deadline_ = base::Nanoseconds::max();
  for (std::size_t place = 0; place < line_.size(); ++place) {
    const base::Nanoseconds deadline = line_.at(place)->deadline;
    if (deadline <= now) {
      late.push_back(place);
    } else {
      first_deadline_ = std::min(first_deadline_, deadline);
    }
  }
  if (late.empty()) return false;
  withdraw(lock, late, Refusal::deadline);
  return true;
}

void BatcherCore::State::wait_for_work(Lock& lock, std::size_t wake_at, base::Nanoseconds until) {
  wake_at_ = wake_at;
  ++asleep_;
  options_.clock->wait(work_, lock, until.count());
  --asleep_;
}

void BatcherCore::State::run_batch(Lock& lock, std::vector<EntryPtr> batch, int instance) {
  counters_.running += static_cast<int64_t>(batch.size());
  // Those asleep wait for what this thread saw before: they have to look again, or for anything.
  const bool wake = asleep_ > 0 && !line_.empty();
  wake_at_ = wake ? std::numeric_limits<std::size_t>::max() : 1;
  Attempts attempts{ceiling_, counters_.out_of_memory_runs};
  lock.unlock();
  if (wake) work_.notify_one();
  run_pieces(batch, instance, attempts);
  batch.clear();
  lock.lock();
  revise_ceiling(attempts);
  believe_perhaps(attempts);
}

void BatcherCore::State::run_pieces(std::span<EntryPtr> batch, int instance, Attempts& attempts) {
  std::vector<std::span<EntryPtr>> open{batch};
  while (!open.empty()) {
    const std::span<EntryPtr> piece = open.back();
    open.pop_back();
    Failure why_not;
    const Next next = run_piece(piece, instance, attempts, why_not);
    if (next == Next::halve) {
      const std::size_t half = piece.size() / 2;
      open.push_back(piece.subspan(half));
      open.push_back(piece.first(half));
    } else if (next == Next::give_up) {
      for (const std::span<EntryPtr> each : std::exchange(open, {})) refuse_running(each, why_not);
    }
  }
  const auto holds_refused = [](const TooLarge& failed) {
    return std::any_of(failed.piece.begin(), failed.piece.end(), was_refused);
  };
  std::erase_if(attempts.too_large, holds_refused);
  std::erase_if(attempts.perhaps_too_large, holds_refused);
}

BatcherCore::State::Next BatcherCore::State::run_piece(std::span<EntryPtr> piece, int instance,
                                                       Attempts& attempts, Failure& why_not) {
  PieceResult result = run_(piece, instance);
  attempts.some_fit = attempts.some_fit || result.end == PieceEnd::responded;
  const bool memory = result.end == PieceEnd::out_of_memory;
  const bool perhaps = result.end == PieceEnd::perhaps_out_of_memory;
  {
    const Lock lock(mutex_);
    count_piece(piece, result.end);
  }
  if (!memory && !perhaps) return Next::go_on;
  if (memory) ++attempts.out_of_memory_runs;
  if (piece.size() > 1) {
    auto& too_large = memory ? attempts.too_large : attempts.perhaps_too_large;
    too_large.push_back({piece, padded_tokens(piece)});
    return Next::halve;
  }
  if (memory) {
    attempts.one_fits_nowhere = true;
    refuse_running(piece, failure_of(Refusal::out_of_memory));
    return Next::go_on;
  }
  refuse_running(piece, why_not = std::move(result.failure));
  // Not even one runs, and none has: it was no matter of the size.
  return attempts.some_fit ? Next::go_on : Next::give_up;
}

void BatcherCore::State::refuse_running(std::span<EntryPtr> piece, const Failure& failure) {
  Lock lock(mutex_);
  counters_.running -= static_cast<int64_t>(piece.size());
  std::vector<EntryPtr> entries;
  for (EntryPtr& entry : piece) entries.push_back(std::move(entry));
  refuse(lock, std::move(entries), failure);
}

void BatcherCore::State::count_piece(std::span<const EntryPtr> piece, PieceEnd end) {
  const auto size = static_cast<int64_t>(piece.size());
  const int64_t padded = padded_tokens(piece);
  ++counters_.batches;
  ++counters_.batch_sizes[size];
  counters_.padded_tokens += padded;
  for (const EntryPtr& entry : piece) counters_.tokens += entry->tokens;
  if (end == PieceEnd::perhaps_out_of_memory) return;
  if (end == PieceEnd::out_of_memory) {
    ++counters_.out_of_memory_runs;
    // What does not fit alone says nothing of how many do.
    if (size > 1) ceiling_.out_of_memory(padded);
    return;
  }
  counters_.running -= size;
  (end == PieceEnd::responded ? counters_.responses : counters_.failed) += size;
  if (end == PieceEnd::responded) ceiling_.success(padded);
}

// Pieces with a request that does not even fit alone say nothing of their size: where others of the
// batch did fit, the ceiling is what the remaining pieces make of it.
void BatcherCore::State::revise_ceiling(const Attempts& attempts) {
  if (!attempts.one_fits_nowhere || !attempts.some_fit) return;
  // Another instance failed meanwhile: what it lowered stays.
  const int64_t all_runs = counters_.out_of_memory_runs - attempts.runs_before;
  if (all_runs != attempts.out_of_memory_runs) return;
  ceiling_ = attempts.ceiling_before;
  for (const TooLarge& failed : attempts.too_large) ceiling_.out_of_memory(failed.padded_tokens);
}

// Smaller pieces of the same batch ran: what the words left open was memory.
void BatcherCore::State::believe_perhaps(const Attempts& attempts) {
  if (!attempts.some_fit) return;
  for (const TooLarge& failed : attempts.perhaps_too_large) {
    ++counters_.out_of_memory_runs;
    ceiling_.out_of_memory(failed.padded_tokens);
  }
}

}  // namespace batchscope::serving::detail
