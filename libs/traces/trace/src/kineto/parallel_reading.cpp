#include "parallel_reading.hpp"

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "collector.hpp"
#include "event_array.hpp"
#include "parallel/side_by_side.hpp"
#include "parallel/threads_to_use.hpp"

namespace batchscope::trace {

// A block that was parsed.
struct ParallelReading::Done {
  std::unique_ptr<Block> block;
  uint64_t number = 0;    // in the file
  double share_read = 0;  // of the file, up to its end
  int64_t bytes_read = 0;
  ArrayOutcome outcome;
  Chunk chunk;

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
    side_by_side(static_cast<int>(threads()), [this](int i) { work(static_cast<size_t>(i)); });
    return finish();
  }

 private:
  void work(size_t thread) {
    EventArrayParser parser;
    Numbering& numbering = reading_.numberings_[thread];
    Collector collector(numbering);
    while (auto taken = take()) {
      Done done = *std::move(taken);
      done.outcome = parser.parse(done.block->bytes.data(), done.block->size, collector);
      done.chunk = collector.take(spent());
      reading_.table_.renumber(numbering, done.chunk);
      hand_in(std::move(done));
    }
  }

  // Blocks are read by one thread at a time, while another one counts.
  std::optional<Done> take() {
    const std::lock_guard reading(reading_mutex_);
    std::unique_ptr<Block> block = empty_block();
    if (block == nullptr) return std::nullopt;
    const bool is_there = reading_.reader_.next(*block);
    const std::lock_guard lock(mutex_);
    if (!is_there) {
      stop_ = true;
      room_.notify_all();
      return std::nullopt;
    }
    Done done;
    done.block = std::move(block);
    done.number = taken_++;
    done.share_read = reading_.reader_.share_read();
    done.bytes_read = reading_.reader_.bytes_read();
    return done;
  }

  // Null where nothing more is to be read.
  std::unique_ptr<Block> empty_block() {
    std::unique_lock lock(mutex_);
    room_.wait(lock, [&] { return stop_ || taken_ - counted_ < kWindow * threads(); });
    if (stop_) return nullptr;
    if (free_.empty()) return std::make_unique<Block>();
    std::unique_ptr<Block> block = std::move(free_.back());
    free_.pop_back();
    return block;
  }

  void hand_in(Done done) {
    std::unique_lock lock(mutex_);
    if (!done.went_well()) stop_ = true;
    const uint64_t number = done.number;
    waiting_.emplace(number, std::move(done));
    if (!counting_) count_what_is_next(lock);
    room_.notify_all();
  }

  // What is handed in meanwhile is counted too: by this thread, so that the others can go on.
  void count_what_is_next(std::unique_lock<std::mutex>& lock) {
    counting_ = true;
    while (!waiting_.empty() && waiting_.begin()->first == counted_ &&
           waiting_.begin()->second.went_well()) {
      Done done = std::move(waiting_.begin()->second);
      waiting_.erase(waiting_.begin());
      lock.unlock();
      reading_.table_.add(done.chunk, done.share_read);
      lock.lock();
      ++counted_;
      enough_ = enough_ || reading_.table_.activities() >= reading_.most_activities_ ||
                done.bytes_read >= reading_.most_bytes_;
      stop_ = stop_ || enough_;
      spent_.push_back(std::move(done.chunk));
      free_.push_back(std::move(done.block));
      room_.notify_all();
    }
    counting_ = false;
  }

  // A chunk that was counted, for its memory.
  Chunk spent() {
    const std::lock_guard lock(mutex_);
    if (spent_.empty()) return {};
    Chunk chunk = std::move(spent_.back());
    spent_.pop_back();
    return chunk;
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
      behind += done->second.block->text();
      if (done->second.block->is_closed) behind += ',';  // which was cut off
    }
    reading_.reader_.put_back(behind);
    // Who goes on in the middle of it puts the comma back that was cut off behind it.
    if (!closed_early) return {End::Why::not_json, std::move(text), was_last};
    const size_t closed_at = first.outcome.closed_at;
    reading_.table_.add(first.chunk);
    return {End::Why::closed, text.substr(std::min(closed_at - 1, text.size())) + ',', was_last};
  }

  uint64_t threads() const { return reading_.numberings_.size(); }

  static constexpr uint64_t kWindow = 2;  // blocks a thread that need not count yet

  ParallelReading& reading_;
  std::mutex reading_mutex_;  // taken before the other
  std::mutex mutex_;          // of what follows
  std::condition_variable room_;
  std::map<uint64_t, Done> waiting_;
  std::vector<std::unique_ptr<Block>> free_;
  std::vector<Chunk> spent_;
  uint64_t taken_ = 0;
  uint64_t counted_ = 0;
  bool counting_ = false;
  bool stop_ = false;
  bool enough_ = false;
};

ParallelReading::ParallelReading(BlockReader& reader, TableBuilder& table,
                                 const ReadOptions& options)
    : reader_(reader),
      table_(table),
      most_activities_(options.most_activities),
      most_bytes_(options.most_bytes) {
  const int threads = threads_to_use(options.threads);
  for (int i = 0; i < threads; ++i) numberings_.emplace_back();
}

void ParallelReading::add(Chunk chunk) {
  table_.renumber(numbering(), chunk);
  table_.add(chunk);
}

ParallelReading::End ParallelReading::run() {
  return Work(*this).run();
}

}  // namespace batchscope::trace
