#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "batchscope/base/result.hpp"

namespace batchscope::loading {

// Makes items 0, 1, 2, ... ahead of whoever takes them, in their order. Each of `workers` threads
// makes whole items; at most workers x prefetch of them are ready or in the making. Without workers
// next() makes the item itself. `make` is called from several threads at once; what it fails with,
// next() returns in the item's turn.
template <class Item>
class Prefetcher {
 public:
  using Make = std::function<base::Result<Item>(int64_t number)>;

  Prefetcher(Make make, int workers, int prefetch)
      : make_(std::move(make)), ahead_(int64_t{workers} * prefetch) {
    for (int i = 0; i < workers; ++i) {
      threads_.emplace_back([this] { work(); });
    }
  }
  // Waits for the items in the making, which are then thrown away.
  ~Prefetcher() {
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
    }
    room_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }
  Prefetcher(const Prefetcher&) = delete;
  Prefetcher& operator=(const Prefetcher&) = delete;

  // Waits until the next item is there. From one thread at a time.
  base::Result<Item> next() {
    if (threads_.empty()) return make_(taken_++);
    std::unique_lock lock(mutex_);
    made_.wait(lock, [this] { return ready_.count(taken_) > 0; });
    auto item = std::move(ready_.extract(taken_).mapped());
    ++taken_;
    lock.unlock();
    room_.notify_one();
    return item;
  }

 private:
  void work() {
    std::unique_lock lock(mutex_);
    while (true) {
      room_.wait(lock, [this] { return stopped_ || claimed_ < taken_ + ahead_; });
      if (stopped_) return;
      const int64_t number = claimed_++;
      lock.unlock();
      auto item = make_(number);
      lock.lock();
      ready_.emplace(number, std::move(item));
      if (number == taken_) made_.notify_one();
    }
  }

  Make make_;
  int64_t ahead_;
  std::mutex mutex_;
  std::condition_variable room_, made_;
  std::map<int64_t, base::Result<Item>> ready_;
  int64_t claimed_ = 0, taken_ = 0;
  bool stopped_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace batchscope::loading
