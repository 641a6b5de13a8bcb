#include "batchscope/ranges/profiler.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <utility>

#include "batchscope/ranges/nvtx.hpp"
#include "process_memory.hpp"
#include "thread_log.hpp"

namespace batchscope::ranges {
namespace {

// The log that the calling thread used last. A profiler's number is never given again, so that a
// profiler that is gone is not taken for a new one.
struct LastLog {
  uint64_t profiler = 0;
  ThreadLog* log = nullptr;
};

LastLog& last_log() {
  thread_local LastLog last;
  return last;
}

// Tells the logs of a thread when it ends.
class ThreadLife {
 public:
  ~ThreadLife() {
    alive_->store(false, std::memory_order_release);
    last_log() = {};  // may be gone before this thread's other objects are
    ended() = true;
  }
  // Of a thread that is ending already, a log stays until the profiler goes.
  static std::shared_ptr<const std::atomic<bool>> of_this_thread() {
    if (ended()) return std::make_shared<std::atomic<bool>>(true);
    thread_local const ThreadLife life;
    return life.alive_;
  }

 private:
  static bool& ended() {
    thread_local bool ended = false;
    return ended;
  }

  std::shared_ptr<std::atomic<bool>> alive_ = std::make_shared<std::atomic<bool>>(true);
};

uint64_t next_profiler() {
  static std::atomic<uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

}  // namespace

Range::Range(Range&& other) noexcept
    : log_(std::exchange(other.log_, nullptr)), event_(std::exchange(other.event_, nullptr)) {}

Range& Range::operator=(Range&& other) noexcept {
  if (this == &other) return *this;
  end();
  log_ = std::exchange(other.log_, nullptr);
  event_ = std::exchange(other.event_, nullptr);
  return *this;
}

void Range::end() noexcept {
  if (RangeSlot* event = std::exchange(event_, nullptr)) log_->end(*event);
}

struct Profiler::State {
  explicit State(const ProfilerOptions& options)
      : memory(options.root),
        instruments{options.clock, options.device, options.memory ? &memory : nullptr,
                    options.most_ranges, ranges::nvtx::attached()} {}

  ThreadLog& find_log() {
    const uint64_t thread = this_thread_number();
    const std::lock_guard lock(mutex);
    for (const auto& log : logs) {
      if (log->owner() == thread) return *log;
    }
    return *logs.emplace_back(std::make_unique<ThreadLog>(instruments, thread, next_index++,
                                                          ThreadLife::of_this_thread()));
  }

  // What is counted of threads that have ended stays.
  void forget_done() {
    std::erase_if(logs, [&](const auto& log) {
      const bool done = log->is_done();
      if (done) {
        dropped += log->dropped();
        unmatched_ends += log->unmatched_ends();
      }
      return done;
    });
  }

  const uint64_t number = next_profiler();
  ProcessMemory memory;
  const Instruments instruments;
  std::mutex mutex;
  std::vector<std::unique_ptr<ThreadLog>> logs;  // in the order of their first range
  int next_index = 0;
  int64_t dropped = 0, unmatched_ends = 0;
};

Profiler::Profiler(const ProfilerOptions& options) : state_(std::make_unique<State>(options)) {}

Profiler::~Profiler() = default;

ThreadLog& Profiler::log() const {
  LastLog& last = last_log();
  if (last.profiler != state_->number) last = {state_->number, &state_->find_log()};
  return *last.log;
}

Range Profiler::range(std::string_view name) {
  ThreadLog& log = this->log();
  return {&log, log.begin(name, /*scoped=*/true)};
}

void Profiler::begin(std::string_view name) {
  log().begin(name, /*scoped=*/false);
}

void Profiler::end() {
  log().end_innermost();
}

void Profiler::end_all() {
  log().end_all();
}

std::size_t Profiler::open_ranges() const {
  return log().open_ranges();
}

int Profiler::this_thread() const {
  return log().index();
}

Recording Profiler::recording() const {
  Recording recording;
  recording.taken_ns = state_->instruments.now_ns();
  const std::lock_guard lock(state_->mutex);
  recording.dropped = state_->dropped;
  recording.unmatched_ends = state_->unmatched_ends;
  for (const auto& log : state_->logs) {
    recording.threads.push_back({log->index(), log->system_id()});
    recording.dropped += log->dropped();
    recording.unmatched_ends += log->unmatched_ends();
    log->collect(recording.ranges, recording.taken_ns);
  }
  return recording;
}

void Profiler::take(std::vector<RangeRecord>& taken) {
  taken.clear();
  const std::lock_guard lock(state_->mutex);
  for (const auto& log : state_->logs) log->take(taken);
  state_->forget_done();
}

}  // namespace batchscope::ranges
