#include "parallel_reading.hpp"

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "collector.hpp"
#include "event_array.hpp"

namespace batchscope::trace {

// A block that was parsed.
struct ParallelReading::Done {
  std::unique_ptr<Block> block;
  ArrayOutcome outcome;
  NumberedChunk result;

  bool went_well() const {
    // The last block has the end of the file behind the array: it is read by itself.
    return outcome.is_valid && block->is_closed && outcome.closed_at >= block->size;
  }
};

// The threads take the next block one at a time, parse it side by side, and hand it in; it counts
// once all blocks before it do. So nothing counts that stands behind a place that was no JSON, and
// the text of what does not count yet is at hand.
class ParallelReading::Work {
 public:
  explicit Work(ParallelReading& reading) : reading_(reading) {}

  End run() {
    std::vector<std::thread> threads;
    for (int i = 1; i < reading_.threads_; ++i) {
      threads.emplace_back([this, i] { work(static_cast<size_t>(i)); });
    }
    work(0);
    for (std::thread& thread : threads) thread.join();
    return finish();
  }

 private:
  void work(size_t thread) {
    EventArrayParser parser;
    Collector collector(reading_.numberings[thread]);
    uint64_t number = 0;
    while (auto block = take(number)) {
      Done done;
      done.outcome = parser.parse(block->bytes.data(), block->size, collector);
      done.block = std::move(block);
      done.result = {collector.take(), thread};
      hand_in(number, std::move(done));
    }
  }

  std::unique_ptr<Block> take(uint64_t& number) {
    std::unique_lock lock(mutex_);
    room_.wait(lock, [&] { return stop_ || taken_ - counted_ < kWindow * threads(); });
    if (stop_) return nullptr;
    std::unique_ptr<Block> block;
    if (free_.empty()) {
      block = std::make_unique<Block>();
    } else {
      block = std::move(free_.back());
      free_.pop_back();
    }
    if (!reading_.reader_.next(*block)) {
      stop_ = true;
      room_.notify_all();
      return nullptr;
    }
    number = taken_++;
    return block;
  }

  void hand_in(uint64_t number, Done done) {
    const std::lock_guard lock(mutex_);
    if (!done.went_well()) stop_ = true;
    waiting_.emplace(number, std::move(done));
    while (!waiting_.empty() && waiting_.begin()->first == counted_ &&
           waiting_.begin()->second.went_well()) {
      count(waiting_.begin()->second);
      waiting_.erase(waiting_.begin());
    }
    room_.notify_all();
  }

  void count(Done& done) {
    const Chunk& chunk = done.result.chunk;
    reading_.activities_ += static_cast<int64_t>(chunk.activities.size() + chunk.halves.size());
    enough_ = enough_ || reading_.activities_ >= reading_.most_activities_ ||
              reading_.reader_.bytes_read() >= reading_.most_bytes_;
    stop_ = stop_ || enough_;
    reading_.chunks.push_back(std::move(done.result));
    free_.push_back(std::move(done.block));
    ++counted_;
  }

  End finish() {
    if (enough_) return {End::Why::enough, {}, false};
    if (waiting_.empty()) return {End::Why::no_more_text, {}, true};
    Done& first = waiting_.begin()->second;
    const bool closed_early = first.outcome.is_valid && first.block->is_closed;
    const bool was_last = first.block->is_last;
    std::string text(first.block->text());
    std::string behind;
    for (auto done = std::next(waiting_.begin()); done != waiting_.end(); ++done) {
      behind += ',';
      behind += done->second.block->text();
    }
    if (!behind.empty()) behind += ',';  // before what the reader carries
    reading_.reader_.put_back(behind);
    if (!closed_early) return {End::Why::not_json, std::move(text), was_last};
    const size_t closed_at = first.outcome.closed_at;
    reading_.chunks.push_back(std::move(first.result));
    return {End::Why::closed, text.substr(std::min(closed_at - 1, text.size())), was_last};
  }

  uint64_t threads() const { return static_cast<uint64_t>(reading_.threads_); }

  static constexpr uint64_t kWindow = 2;  // blocks a thread that need not count yet

  ParallelReading& reading_;
  std::mutex mutex_;
  std::condition_variable room_;
  std::map<uint64_t, Done> waiting_;
  std::vector<std::unique_ptr<Block>> free_;
  uint64_t taken_ = 0;
  uint64_t counted_ = 0;
  bool stop_ = false;
  bool enough_ = false;
};

ParallelReading::ParallelReading(BlockReader& reader, int threads, int64_t most_activities,
                                 int64_t most_bytes)
    : reader_(reader),
      threads_(threads),
      most_activities_(most_activities),
      most_bytes_(most_bytes) {
  for (int i = 0; i < threads; ++i) numberings.emplace_back();
}

ParallelReading::End ParallelReading::run() {
  return Work(*this).run();
}

}  // namespace batchscope::trace
