#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <mutex>

#include "memory.hpp"

namespace batchscope::simulated {
namespace {

constexpr std::size_t kAlignment = 64;

// Tensors may be freed after every static object is gone, so this is never destroyed.
struct Ranges {
  std::mutex mutex;
  std::map<const char*, std::size_t> sizes;
};

Ranges& ranges() {
  static auto* const one = new Ranges;
  return *one;
}

void free_pinned(void* at) {
  {
    const std::lock_guard lock(ranges().mutex);
    ranges().sizes.erase(static_cast<const char*>(at));
  }
  std::free(at);
}

class PinnedMemory final : public c10::Allocator {
 public:
  c10::DataPtr allocate(std::size_t bytes) override {
    if (bytes == 0) return {nullptr, c10::kCPU};
    const std::size_t size = (bytes + kAlignment - 1) / kAlignment * kAlignment;
    void* const at = std::aligned_alloc(kAlignment, size);
    const std::lock_guard lock(ranges().mutex);
    ranges().sizes[static_cast<const char*>(at)] = bytes;
    return {at, at, &free_pinned, c10::kCPU};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &free_pinned; }
  void copy_data(void* to, const void* from, std::size_t bytes) const override {
    std::memcpy(to, from, bytes);
  }
};

}  // namespace

c10::Allocator* pinned_memory() {
  static auto* const one = new PinnedMemory;
  return one;
}

bool is_pinned(const void* address) {
  const auto* const at = static_cast<const char*>(address);
  const std::lock_guard lock(ranges().mutex);
  const auto after = ranges().sizes.upper_bound(at);
  if (after == ranges().sizes.begin()) return false;
  const auto [start, size] = *std::prev(after);
  return at < start + size;
}

}  // namespace batchscope::simulated
