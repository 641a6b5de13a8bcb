#include "streams.hpp"

#include <c10/util/Exception.h>

#include <atomic>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "state/options.hpp"

namespace batchscope::simulated {
namespace {

// Threads of devices outlive every static object, so this is never destroyed.
struct Registry {
  std::mutex mutex;
  std::map<std::pair<int, int64_t>, Queue*> queues;
  std::map<int, int64_t> made;  // streams a device, beside its default one
};

Registry& registry() {
  static auto* const all = new Registry;
  return *all;
}

thread_local c10::DeviceIndex device_now = 0;
thread_local std::map<int, int64_t> stream_now;
std::atomic<bool> started{false};

std::vector<Queue*> queues_where(bool every, c10::DeviceIndex device) {
  std::vector<Queue*> queues;
  const std::lock_guard lock(registry().mutex);
  for (const auto& [key, queue] : registry().queues) {
    if (every || key.first == device) queues.push_back(queue);
  }
  return queues;
}

}  // namespace

Queue& queue_of(const c10::Stream& stream) {
  const std::lock_guard lock(registry().mutex);
  Queue*& queue = registry().queues[{stream.device_index(), stream.id()}];
  if (queue == nullptr) queue = new Queue(stream.device_index(), stream.id());
  return *queue;
}

c10::Stream stream_of(c10::DeviceIndex device, int64_t id) {
  return c10::Stream(c10::Stream::UNSAFE, c10::Device(kType, device), id);
}

c10::Stream current_stream(c10::DeviceIndex device) {
  const auto found = stream_now.find(device);
  return stream_of(device, found == stream_now.end() ? 0 : found->second);
}

Queue& current_queue(c10::DeviceIndex device) {
  return queue_of(current_stream(device));
}

c10::Stream set_current_stream(const c10::Stream& stream) {
  const c10::Stream before = current_stream(stream.device_index());
  stream_now[stream.device_index()] = stream.id();
  return before;
}

c10::Stream new_stream(c10::DeviceIndex device) {
  const std::lock_guard lock(registry().mutex);
  return stream_of(device, ++registry().made[device]);
}

c10::DeviceIndex current_device() {
  return device_now;
}

void set_current_device(c10::DeviceIndex device) {
  TORCH_CHECK(device >= 0 && device < options().devices, "simulated device ",
              static_cast<int>(device), " does not exist");
  device_now = device;
}

void drain_device(c10::DeviceIndex device) {
  for (Queue* queue : queues_where(false, device)) queue->drain();
}

void check_streams() {
  for (Queue* queue : queues_where(true, 0)) queue->check();
}

void start_driver() {
  started = true;
}

bool driver_started() {
  return started;
}

}  // namespace batchscope::simulated
