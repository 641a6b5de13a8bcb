#include "memory.hpp"

#include <c10/util/Exception.h>
#include <sys/mman.h>

#include <cstring>
#include <mutex>
#include <vector>

#include "segments.hpp"
#include "state/clock.hpp"
#include "state/options.hpp"
#include "work/streams.hpp"

namespace batchscope::simulated {
namespace {

using c10::CachingDeviceAllocator::DeviceStats;

constexpr std::size_t kSpread = 8;  // address space a byte of capacity

char* mapped(std::size_t length, int protection) {
  void* const at =
      mmap(nullptr, length, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  TORCH_CHECK(at != MAP_FAILED, "no address space for a simulated device");
  return static_cast<char*>(at);
}

class Memory {
 public:
  explicit Memory(c10::DeviceIndex device)
      : device_(device),
        length_(options().capacity_bytes * kSpread),
        address_(mapped(length_, PROT_NONE)),
        memory_(mapped(length_, PROT_READ | PROT_WRITE)),
        segments_(address_, length_, options().capacity_bytes) {}

  bool owns(const void* at) const { return at >= address_ && at < address_ + length_; }
  void* behind(const void* at) const { return memory_ + (static_cast<const char*>(at) - address_); }

  void* allocate(std::size_t bytes) {
    std::unique_lock lock(mutex_);
    const int64_t stream = current_stream(device_).id();
    Block* block = segments_.take_cached(bytes, stream);
    if (block == nullptr) block = take_new(bytes, stream, lock);
    if (options().poison) poison(*block);
    return block->at;
  }

  void free(void* at) {
    const std::lock_guard lock(mutex_);
    Block* const block = segments_.find(at);
    if (block == nullptr) return;
    for (const int64_t other :
         block->others) {  // simpler than CUDA: the owner waits for the others
      queue(block->stream).wait_for(queue(other).mark());
    }
    segments_.give(block);
  }

  void record(const void* at, int64_t stream) {
    const std::lock_guard lock(mutex_);
    Block* const block = segments_.find(at);
    if (block != nullptr && block->stream != stream) block->others.insert(stream);
  }

  void empty_cache() {
    drain_device(device_);
    const std::lock_guard lock(mutex_);
    release();
  }

  DeviceStats stats() {
    const std::lock_guard lock(mutex_);
    return segments_.stats();
  }

  void reset_peaks() {
    reset([](auto& stat) { stat.reset_peak(); });
  }

  void reset_accumulated() {
    reset([](auto& stat) { stat.reset_accumulated(); });
    const std::lock_guard lock(mutex_);
    DeviceStats& stats = segments_.stats();
    stats.num_device_alloc = stats.num_device_free = stats.num_ooms = stats.num_alloc_retries = 0;
  }

  std::size_t free_bytes() {
    const std::lock_guard lock(mutex_);
    return segments_.capacity() - segments_.reserved();
  }

 private:
  Queue& queue(int64_t stream) const { return queue_of(stream_of(device_, stream)); }

  template <typename Reset>
  void reset(const Reset& how) {
    const std::lock_guard lock(mutex_);
    DeviceStats& all = segments_.stats();
    for (auto* array : {&all.allocation, &all.segment, &all.active, &all.allocated_bytes,
                        &all.reserved_bytes, &all.active_bytes, &all.requested_bytes,
                        &all.inactive_split, &all.inactive_split_bytes}) {
      for (auto& stat : *array) how(stat);
    }
  }

  void release() {
    segments_.release(
        [this](const Block& block) { madvise(behind(block.at), block.size, MADV_DONTNEED); });
  }

  // Waits without the lock: what runs may free memory.
  Block* take_new(std::size_t bytes, int64_t stream, std::unique_lock<std::mutex>& lock) {
    spend(options().allocation_ns);
    Block* block = segments_.take_new(bytes, stream);
    if (block != nullptr) return block;
    ++segments_.stats().num_alloc_retries;
    lock.unlock();
    drain_device(device_);  // throws what a task threw
    lock.lock();
    release();
    block = segments_.take_new(bytes, stream);
    if (block == nullptr) refuse(bytes);
    return block;
  }

  [[noreturn]] void refuse(std::size_t bytes) {
    ++segments_.stats().num_ooms;
    const int64_t held = segments_.stats().allocated_bytes[0].current;
    const auto reserved = static_cast<int64_t>(segments_.reserved());
    TORCH_CHECK_WITH(OutOfMemoryError, false, "CUDA out of memory. Tried to allocate ", bytes,
                     " bytes. Simulated GPU ", static_cast<int>(device_),
                     " has a total capacity of ", segments_.capacity(), " bytes of which ",
                     static_cast<int64_t>(segments_.capacity()) - reserved, " bytes are free; ",
                     held, " bytes are allocated, and ", reserved - held,
                     " bytes are reserved but unallocated.");
  }

  // In the stream's order: what is there may still be in use.
  void poison(const Block& block) {
    Task task;
    task.work = [at = behind(block.at), size = block.size] { std::memset(at, 0xff, size); };
    queue(block.stream).push(std::move(task));
  }

  c10::DeviceIndex device_;
  std::size_t length_;
  char* address_;
  char* memory_;
  std::mutex mutex_;
  Segments segments_;
};

Memory& memory(c10::DeviceIndex device) {
  static auto* const all = [] {
    auto* const made = new std::vector<Memory*>;
    for (c10::DeviceIndex i = 0; i < options().devices; ++i) made->push_back(new Memory(i));
    return made;
  }();
  return *all->at(static_cast<std::size_t>(device));
}

void free_on_device(void* at) {
  const auto device = device_of_address(at);
  if (device >= 0) memory(device).free(at);
}

class DeviceMemory final : public c10::DeviceAllocator {
 public:
  c10::DataPtr allocate(std::size_t bytes) override {
    start_driver();
    const c10::Device device(kType, current_device());
    if (bytes == 0) return {nullptr, device};
    void* const at = memory(device.index()).allocate(bytes);
    return {at, at, &free_on_device, device};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &free_on_device; }
  void copy_data(void* to, const void* from, std::size_t bytes) const override {
    Task task;
    task.name = "Memcpy DtoD (Device -> Device)";
    task.kind = Kind::d2d;
    task.cost_ns = options().operation_ns;
    task.work = [to = behind(to), from = behind(from), bytes] { std::memcpy(to, from, bytes); };
    current_queue(device_of_address(to)).push(std::move(task));
  }
  bool initialized() override { return true; }
  void emptyCache(c10::MempoolId_t) override {
    for (c10::DeviceIndex i = 0; i < options().devices; ++i) memory(i).empty_cache();
  }
  void recordStream(const c10::DataPtr& data, c10::Stream stream) override {
    if (data.get() != nullptr) memory(data.device().index()).record(data.get(), stream.id());
  }
  DeviceStats getDeviceStats(c10::DeviceIndex device) override { return in_use(device).stats(); }
  void resetAccumulatedStats(c10::DeviceIndex device) override {
    in_use(device).reset_accumulated();
  }
  void resetPeakStats(c10::DeviceIndex device) override { in_use(device).reset_peaks(); }
  std::pair<std::size_t, std::size_t> getMemoryInfo(c10::DeviceIndex device) override {
    return {memory(device).free_bytes(), options().capacity_bytes};
  }

 private:
  // As CUDA's allocator: before the first use of a device there is nothing to ask.
  static Memory& in_use(c10::DeviceIndex device) {
    TORCH_CHECK(device >= 0 && device < options().devices && driver_started(),
                "Invalid device argument ", static_cast<int>(device), ": did you call init?");
    return memory(device);
  }
};

}  // namespace

c10::DeviceAllocator* device_memory() {
  static auto* const one = new DeviceMemory;
  return one;
}

c10::DeviceIndex device_of_address(const void* address) {
  for (c10::DeviceIndex i = 0; i < options().devices; ++i) {
    if (memory(i).owns(address)) return i;
  }
  return -1;
}

void* behind(const void* device_address) {
  if (device_address == nullptr) return nullptr;
  const auto device = device_of_address(device_address);
  TORCH_CHECK(device >= 0, "not an address of a simulated device");
  return memory(device).behind(device_address);
}

}  // namespace batchscope::simulated
