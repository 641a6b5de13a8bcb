#include "segments.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace batchscope::simulated {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;
constexpr std::size_t kGranule = 512;
constexpr std::size_t kSmall = kMiB;  // up to here requests share segments of
constexpr std::size_t kSmallSegment = 2 * kMiB;
constexpr std::size_t kLarge = 10 * kMiB;  // up to here, of
constexpr std::size_t kLargeSegment = 20 * kMiB;

std::size_t rounded(std::size_t bytes, std::size_t to) {
  return (bytes + to - 1) / to * to;
}

std::size_t size_of_block(std::size_t bytes) {
  return rounded(std::max<std::size_t>(bytes, 1), kGranule);
}

std::size_t size_of_segment(std::size_t block) {
  if (block <= kSmall) return kSmallSegment;
  return block < kLarge ? kLargeSegment : rounded(block, kSmallSegment);
}

}  // namespace

bool Segments::BySize::operator()(const Block* a, const Block* b) const {
  return std::tie(a->stream, a->small, a->size, a->at) <
         std::tie(b->stream, b->small, b->size, b->at);
}

Segments::Segments(char* address, std::size_t length, std::size_t capacity) : capacity_(capacity) {
  holes_[address] = length;
}

void Segments::use(Block* block, std::size_t bytes) {
  split(block, size_of_block(bytes));
  block->used = true;
  block->requested = bytes;
  used_[block->at] = block;
  count(block, 1);
}

Block* Segments::take_cached(std::size_t bytes, int64_t stream) {
  Block key;
  key.stream = stream;
  key.size = size_of_block(bytes);
  key.small = key.size <= kSmall;
  const auto found = free_.lower_bound(&key);
  if (found == free_.end()) return nullptr;
  Block* const block = *found;
  if (block->stream != stream || block->small != key.small) return nullptr;
  free_.erase(found);
  use(block, bytes);
  return block;
}

Block* Segments::take_new(std::size_t bytes, int64_t stream) {
  const std::size_t size = size_of_block(bytes);
  const std::size_t segment = size_of_segment(size);
  char* const at = reserve(segment);
  if (at == nullptr) return nullptr;
  auto* const block = new Block;
  block->at = at;
  block->size = segment;
  block->small = size <= kSmall;
  block->stream = stream;
  ++stats_.num_device_alloc;
  add(stats_.segment, block->small, 1);
  add(stats_.reserved_bytes, block->small, static_cast<int64_t>(segment));
  use(block, bytes);
  return block;
}

Block* Segments::find(const void* at) const {
  const auto found = used_.find(static_cast<const char*>(at));
  return found == used_.end() ? nullptr : found->second;
}

void Segments::give(Block* block) {
  used_.erase(block->at);
  count(block, -1);
  block->used = false;
  block->others.clear();
  while (block->after != nullptr && !block->after->used) {
    free_.erase(block->after);
    join(block, block->after);
  }
  if (Block* const before = block->before; before != nullptr && !before->used) {
    free_.erase(before);
    join(before, block);
    block = before;
  }
  free_.insert(block);
}

void Segments::join(Block* block, Block* after) {
  block->size += after->size;
  block->after = after->after;
  if (block->after != nullptr) block->after->before = block;
  delete after;
}

void Segments::split(Block* block, std::size_t size) {
  const std::size_t left = block->size - size;
  if (left < (block->small ? kGranule : kSmall + 1)) return;
  auto* const rest = new Block(*block);
  rest->at += size;
  rest->size = left;
  rest->before = block;
  if (rest->after != nullptr) rest->after->before = rest;
  block->after = rest;
  block->size = size;
  free_.insert(rest);
}

char* Segments::reserve(std::size_t size) {
  if (reserved_ + size > capacity_) return nullptr;
  const auto hole = std::find_if(holes_.begin(), holes_.end(),
                                 [&](const auto& each) { return each.second >= size; });
  if (hole == holes_.end()) return nullptr;
  char* const at = hole->first;
  const std::size_t left = hole->second - size;
  holes_.erase(hole);
  if (left > 0) holes_[at + size] = left;
  reserved_ += size;
  return at;
}

void Segments::give_back(const Block* block) {
  holes_[block->at] = block->size;
  reserved_ -= block->size;
  ++stats_.num_device_free;
  add(stats_.segment, block->small, -1);
  add(stats_.reserved_bytes, block->small, -static_cast<int64_t>(block->size));
}

void Segments::join_holes() {
  for (auto hole = holes_.begin(); hole != holes_.end(); ++hole) {
    auto next = std::next(hole);
    while (next != holes_.end() && hole->first + hole->second == next->first) {
      hole->second += next->second;
      next = holes_.erase(next);
    }
  }
}

void Segments::add(c10::CachingAllocator::StatArray& stats, bool small, int64_t amount) {
  for (const std::size_t i : {std::size_t{0}, std::size_t{small ? 1U : 2U}}) {
    if (amount > 0) stats[i].increase(static_cast<std::size_t>(amount));
    if (amount < 0) stats[i].decrease(static_cast<std::size_t>(-amount));
  }
}

void Segments::count(const Block* block, int64_t sign) {
  const auto size = static_cast<int64_t>(block->size);
  add(stats_.allocation, block->small, sign);
  add(stats_.active, block->small, sign);
  add(stats_.allocated_bytes, block->small, sign * size);
  add(stats_.active_bytes, block->small, sign * size);
  add(stats_.requested_bytes, block->small, sign * static_cast<int64_t>(block->requested));
}

}  // namespace batchscope::simulated
