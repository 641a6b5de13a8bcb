#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>

#include "batchscope/ranges/clocks.hpp"

namespace batchscope::ranges {

// Time that passes when a test says so.
class HandClock final : public HostClock {
 public:
  int64_t now_ns() const override { return now_ns_; }
  void pass(int64_t ns) { now_ns_ += ns; }

 private:
  std::atomic<int64_t> now_ns_{1000};
};

// A device that is always behind: its time of a mark is known later. Counts the marks that live.
class HandDevice final : public DeviceClock {
 public:
  int64_t mark() override {
    const std::lock_guard lock(mutex_);
    const int64_t id = ++last_;
    at_[id] = now_ns_;
    return id;
  }
  std::optional<int64_t> between_ns(int64_t from, int64_t to) override {
    const std::lock_guard lock(mutex_);
    if (broken) return std::nullopt;
    return at_.at(to) - at_.at(from);
  }
  void release(int64_t mark) override {
    const std::lock_guard lock(mutex_);
    at_.erase(mark);
  }
  void pass(int64_t ns) { now_ns_ += ns; }
  std::size_t living() const { return at_.size(); }

  bool broken = false;

 private:
  std::mutex mutex_;
  int64_t now_ns_ = 0, last_ = 0;
  std::map<int64_t, int64_t> at_;
};

}  // namespace batchscope::ranges
