#pragma once

#include <c10/core/CachingDeviceAllocator.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>

namespace batchscope::simulated {

// A piece of a segment, in use or free.
struct Block {
  char* at = nullptr;
  std::size_t size = 0, requested = 0;
  int64_t stream = 0;
  bool used = false, small = false;
  Block* before = nullptr;  // in the segment
  Block* after = nullptr;
  std::set<int64_t> others;  // streams that use it too
};

// The address space of a device, given out as a caching allocator gives it: in segments of 2 MiB
// for what is small, 20 MiB, or the size asked for; free pieces are kept a stream, split and
// joined, and so more is reserved than is in use. Not safe for threads.
class Segments {
 public:
  Segments(char* address, std::size_t length, std::size_t capacity);

  // A block of at least `bytes` from the cache; null where it has none.
  Block* take_cached(std::size_t bytes, int64_t stream);
  // The same from a new segment; null where the capacity does not hold it.
  Block* take_new(std::size_t bytes, int64_t stream);
  // The block in use at an address; null where there is none.
  Block* find(const void* at) const;
  void give(Block* block);
  // Gives back the segments that nothing uses. `released` is called with each.
  template <typename Released>
  void release(const Released& released);

  std::size_t reserved() const { return reserved_; }
  std::size_t capacity() const { return capacity_; }
  c10::CachingDeviceAllocator::DeviceStats& stats() { return stats_; }

 private:
  struct BySize {
    bool operator()(const Block* a, const Block* b) const;
  };

  void use(Block* block, std::size_t bytes);
  void split(Block* block, std::size_t size);
  void join(Block* block, Block* after);
  char* reserve(std::size_t size);
  void give_back(const Block* block);
  void join_holes();
  void count(const Block* block, int64_t sign);
  static void add(c10::CachingAllocator::StatArray& stats, bool small, int64_t amount);

  std::size_t capacity_;
  std::size_t reserved_ = 0;
  std::map<char*, std::size_t> holes_;  // address space without a segment
  std::map<const char*, Block*> used_;
  std::set<Block*, BySize> free_;
  c10::CachingDeviceAllocator::DeviceStats stats_;
};

template <typename Released>
void Segments::release(const Released& released) {
  for (auto each = free_.begin(); each != free_.end();) {
    Block* const block = *each;
    if (block->before != nullptr || block->after != nullptr) {
      ++each;
      continue;
    }
    each = free_.erase(each);
    released(*block);
    give_back(block);
    delete block;
  }
  join_holes();
}

}  // namespace batchscope::simulated
