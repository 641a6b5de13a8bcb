#include "thread_log.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace batchscope::ranges {

int64_t Instruments::now_ns() const {
  if (clock != nullptr) return clock->now_ns();
  using std::chrono::duration_cast;
  using std::chrono::nanoseconds;
  return duration_cast<nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

uint64_t this_thread_number() {
  static std::atomic<uint64_t> last{0};
  // Without a constructor, so that reading it costs no check for one.
  thread_local uint64_t number = 0;
  if (number == 0) number = last.fetch_add(1, std::memory_order_relaxed) + 1;
  return number;
}

ThreadLog::ThreadLog(const Instruments& instruments, uint64_t owner, int index,
                     std::shared_ptr<const std::atomic<bool>> alive)
    : instruments_(instruments),
      owner_(owner),
      index_(index),
      system_id_(syscall(SYS_gettid)),
      alive_(std::move(alive)) {}

bool ThreadLog::is_open(const Open& entry) {
  return entry.event != nullptr &&
         entry.event->state.load(std::memory_order_acquire) == RangeSlot::open;
}

ThreadLog::~ThreadLog() {
  for (const auto& chunk : chunks_) {
    for (const RangeSlot& event : begun_in(*chunk)) {
      if (!event.taken) release_marks(event);
    }
  }
}

RangeSlot* ThreadLog::next_event() {
  if (used_ == kChunk) {
    if (kept_.load(std::memory_order_relaxed) + kChunk > instruments_.most_ranges) return nullptr;
    auto chunk = std::make_unique<Chunk>();
    chunk->first = begun_.load(std::memory_order_relaxed);
    const std::lock_guard lock(mutex_);
    current_ = chunks_.emplace_back(std::move(chunk)).get();
    used_ = 0;
    kept_.fetch_add(kChunk, std::memory_order_relaxed);
  }
  return &current_->events[used_];
}

// Ranges that ended while others lay above them leave the stack when they come to its top.
void ThreadLog::surface() {
  while (!stack_.empty()) {
    RangeSlot* top = stack_.back().event;
    if (top == nullptr || top->state.load(std::memory_order_acquire) != RangeSlot::ended) return;
    top->state.store(RangeSlot::gone, std::memory_order_release);
    stack_.pop_back();
  }
}

void ThreadLog::drop(bool scoped) {
  dropped_.fetch_add(1, std::memory_order_relaxed);
  // So that its end() finds it.
  if (!scoped) stack_.push_back({nullptr, false});
}

void ThreadLog::begin_extras(RangeSlot& event) const {
  event.extras = std::make_unique<Extras>();
  if (instruments_.memory != nullptr) event.extras->span = instruments_.memory->begin();
  if (instruments_.device != nullptr) event.extras->device_begin = instruments_.device->mark();
  if (instruments_.shown) event.extras->shown = ranges::nvtx::ScopedRange(*event.name);
}

void ThreadLog::end_extras(Extras& extras) const {
  extras.shown.end();
  if (instruments_.device != nullptr) extras.device_end = instruments_.device->mark();
  if (instruments_.memory != nullptr) extras.memory = instruments_.memory->end(extras.span);
}

RangeSlot* ThreadLog::begin(std::string_view name, bool scoped) {
  surface();
  RangeSlot* event = next_event();
  if (event == nullptr) {
    drop(scoped);
    return nullptr;
  }
  event->name = names_.find(name);
  event->number = begun_.load(std::memory_order_relaxed);
  const auto parent = std::find_if(stack_.rbegin(), stack_.rend(), is_open);
  event->parent = parent == stack_.rend() ? -1 : parent->event->number;
  stack_.push_back({event, scoped});
  if (instruments_.extras) begin_extras(*event);
  // Last, so that what recording costs is outside the range.
  event->begin_ns = instruments_.now_ns();
  ++used_;
  begun_.store(event->number + 1, std::memory_order_release);
  return event;
}

void ThreadLog::end(RangeSlot& event) {
  const int64_t now = instruments_.now_ns();
  auto expected = RangeSlot::open;
  if (!event.state.compare_exchange_strong(expected, RangeSlot::ending,
                                           std::memory_order_acquire)) {
    return;
  }
  event.end_ns = now;
  if (event.extras) end_extras(*event.extras);
  const bool owner = this_thread_number() == owner_;
  event.moved = !owner;
  if (!owner || stack_.empty() || stack_.back().event != &event) {
    event.state.store(RangeSlot::ended, std::memory_order_release);
    return;
  }
  stack_.pop_back();
  event.state.store(RangeSlot::gone, std::memory_order_release);
}

std::ptrdiff_t ThreadLog::innermost_begun() const {
  for (auto i = std::ssize(stack_) - 1; i >= 0; --i) {
    const Open& entry = stack_[static_cast<std::size_t>(i)];
    if (!entry.scoped && (entry.event == nullptr || is_open(entry))) return i;
  }
  return -1;
}

void ThreadLog::end_innermost() {
  surface();
  const std::ptrdiff_t at = innermost_begun();
  if (at < 0) {
    unmatched_ends_.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  RangeSlot* event = stack_[static_cast<std::size_t>(at)].event;
  if (event == nullptr) {
    stack_.erase(stack_.begin() + at);
  } else {
    end(*event);
  }
}

void ThreadLog::end_all() {
  surface();
  while (innermost_begun() >= 0) end_innermost();
}

std::size_t ThreadLog::open_ranges() {
  surface();
  return static_cast<std::size_t>(std::count_if(stack_.begin(), stack_.end(), is_open));
}

std::span<RangeSlot> ThreadLog::begun_in(Chunk& chunk) const {
  const int64_t begun = begun_.load(std::memory_order_acquire) - chunk.first;
  const auto count = std::min(static_cast<std::size_t>(std::max<int64_t>(begun, 0)), kChunk);
  return std::span(chunk.events).subspan(chunk.done, count - chunk.done);
}

RangeRecord ThreadLog::record_of(const RangeSlot& event, bool ended) const {
  RangeRecord record;
  record.name = *event.name;
  record.thread = index_;
  record.number = event.number;
  if (event.parent >= 0) record.parent = event.parent;
  record.begin_ns = event.begin_ns;
  record.open = !ended;
  if (ended) {
    record.end_ns = event.end_ns;
    record.moved = event.moved;
  }
  if (!event.extras) return record;
  const Extras& extras = *event.extras;
  if (instruments_.memory != nullptr) {
    record.memory = ended ? extras.memory : MemoryUse{extras.span.before_bytes, {}, {}};
  }
  if (instruments_.device != nullptr && ended) {
    record.device_ns = instruments_.device->between_ns(extras.device_begin, extras.device_end);
  }
  return record;
}

void ThreadLog::release_marks(const RangeSlot& event) const {
  if (!event.extras || instruments_.device == nullptr) return;
  instruments_.device->release(event.extras->device_begin);
  const bool ended = event.state.load(std::memory_order_acquire) >= RangeSlot::ended;
  if (ended) instruments_.device->release(event.extras->device_end);
}

void ThreadLog::collect(std::vector<RangeRecord>& records, int64_t now_ns) {
  const std::lock_guard lock(mutex_);
  for (const auto& chunk : chunks_) {
    for (const RangeSlot& event : begun_in(*chunk)) {
      if (event.taken) continue;
      const bool ended = event.state.load(std::memory_order_acquire) >= RangeSlot::ended;
      RangeRecord& record = records.emplace_back(record_of(event, ended));
      if (!ended) record.end_ns = std::max(now_ns, record.begin_ns);
    }
  }
}

void ThreadLog::take(std::vector<RangeRecord>& records) {
  // Of a thread that has ended nobody looks at the stack any more.
  const auto released =
      alive_->load(std::memory_order_acquire) ? RangeSlot::gone : RangeSlot::ended;
  const std::lock_guard lock(mutex_);
  for (auto& chunk : chunks_) {
    bool all_gone = true;
    for (RangeSlot& event : begun_in(*chunk)) {
      const auto state = event.state.load(std::memory_order_acquire);
      if (!event.taken && state >= RangeSlot::ended) {
        event.taken = true;
        records.push_back(record_of(event, true));
        release_marks(event);
      }
      all_gone = all_gone && state >= released;
      if (all_gone) ++chunk->done;
    }
    if (chunk->done == kChunk) {
      chunk.reset();
      kept_.fetch_sub(kChunk, std::memory_order_relaxed);
    }
  }
  std::erase(chunks_, nullptr);
}

bool ThreadLog::is_done() {
  if (alive_->load(std::memory_order_acquire)) return false;
  const std::lock_guard lock(mutex_);
  return std::all_of(chunks_.begin(), chunks_.end(),
                     [&](const auto& chunk) { return begun_in(*chunk).empty(); });
}

}  // namespace batchscope::ranges
