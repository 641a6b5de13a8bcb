#include "batchscope/record/profiler.hpp"

#include <atomic>
#include <map>
#include <mutex>
#include <utility>

#include "process_memory.hpp"
#include "thread_log.hpp"

namespace batchscope::record {
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
  if (Event* event = std::exchange(event_, nullptr)) log_->end(*event);
}

struct Profiler::State {
  explicit State(const ProfilerOptions& options)
      : memory(options.root),
        instruments{options.clock, options.device, options.memory ? &memory : nullptr,
                    options.most_ranges} {}

  ThreadLog& find_log() {
    const uint64_t thread = this_thread_number();
    const std::lock_guard lock(mutex);
    auto& log = by_thread[thread];
    if (!log) {
      log = std::make_unique<ThreadLog>(instruments, thread, static_cast<int>(logs.size()));
      logs.push_back(log.get());
    }
    return *log;
  }

  // Those of now; they stay where they are.
  std::vector<ThreadLog*> all_logs() {
    const std::lock_guard lock(mutex);
    return logs;
  }

  const uint64_t number = next_profiler();
  ProcessMemory memory;
  const Instruments instruments;
  std::mutex mutex;
  std::map<uint64_t, std::unique_ptr<ThreadLog>> by_thread;
  std::vector<ThreadLog*> logs;  // in the order of their first range
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
  for (ThreadLog* log : state_->all_logs()) {
    recording.threads.push_back({log->system_id()});
    recording.dropped += log->dropped();
    recording.unmatched_ends += log->unmatched_ends();
    log->collect(recording.ranges, recording.taken_ns);
  }
  return recording;
}

void Profiler::take(std::vector<RangeRecord>& taken) {
  taken.clear();
  for (ThreadLog* log : state_->all_logs()) log->take(taken);
}

}  // namespace batchscope::record
