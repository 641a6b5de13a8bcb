// What LibTorch asks of a device's streams and events.
#include <c10/core/impl/DeviceGuardImplInterface.h>

#include <memory>
#include <mutex>

#include "allocator/memory.hpp"
#include "state/clock.hpp"
#include "state/options.hpp"
#include "work/activity.hpp"
#include "work/streams.hpp"

namespace batchscope::simulated {
namespace {

struct Event {
  std::mutex mutex;
  std::shared_ptr<Mark> latest;
  bool timed = false;
};

std::shared_ptr<Mark> latest(void* event) {
  if (event == nullptr) return nullptr;
  auto* const e = static_cast<Event*>(event);
  const std::lock_guard lock(e->mutex);
  return e->latest;
}

class Guard final : public c10::impl::DeviceGuardImplInterface {
 public:
  c10::DeviceType type() const override { return kType; }
  c10::Device exchangeDevice(c10::Device device) const override {
    const c10::Device before = getDevice();
    if (device.index() >= 0) set_current_device(device.index());
    return before;
  }
  c10::Device getDevice() const override { return {kType, current_device()}; }
  void setDevice(c10::Device device) const override { set_current_device(device.index()); }
  void uncheckedSetDevice(c10::Device device) const noexcept override {
    const bool known = device.index() >= 0 && device.index() < options().devices;
    if (known) set_current_device(device.index());
  }
  c10::Stream getStream(c10::Device device) const override {
    return current_stream(index_of(device));
  }
  c10::Stream getDefaultStream(c10::Device device) const override {
    return stream_of(index_of(device), 0);
  }
  c10::Stream getStreamFromGlobalPool(c10::Device device, bool) const override {
    return new_stream(index_of(device));
  }
  c10::Stream getNewStream(c10::Device device, int) const override {
    return new_stream(index_of(device));
  }
  c10::Stream exchangeStream(c10::Stream stream) const override {
    return set_current_stream(stream);
  }
  bool queryStream(const c10::Stream& stream) const override { return queue_of(stream).idle(); }
  void synchronizeStream(const c10::Stream& stream) const override {
    spend(options().call_ns);
    queue_of(stream).drain();
  }
  void synchronizeDevice(c10::DeviceIndex device) const override {
    spend(options().call_ns);
    drain_device(device);
  }
  c10::DeviceIndex deviceCount() const noexcept override {
    return static_cast<c10::DeviceIndex>(options().devices);
  }
  void recordDataPtrOnStream(const c10::DataPtr& data, const c10::Stream& stream) const override {
    device_memory()->recordStream(data, stream);
  }

  void destroyEvent(void* event, c10::DeviceIndex) const noexcept override {
    delete static_cast<Event*>(event);
  }
  void record(void** event, const c10::Stream& stream, c10::DeviceIndex device,
              c10::EventFlag flag) const override {
    TORCH_CHECK(device == -1 || device == stream.device_index(), "the event belongs to device ",
                static_cast<int>(device), ", the stream to ",
                static_cast<int>(stream.device_index()));
    if (*event == nullptr) {
      *event = new Event;
      static_cast<Event*>(*event)->timed = flag == c10::EventFlag::BACKEND_DEFAULT;
    }
    spend(options().call_ns);
    auto mark = queue_of(stream).mark();
    auto* const e = static_cast<Event*>(*event);
    const std::lock_guard lock(e->mutex);
    e->latest = std::move(mark);
  }
  void block(void* event, const c10::Stream& stream) const override {
    if (auto mark = latest(event)) queue_of(stream).wait_for(std::move(mark));
  }
  bool queryEvent(void* event) const override {
    spend(options().call_ns);
    const auto mark = latest(event);
    return !mark || mark->passed();
  }
  void synchronizeEvent(void* event) const override {
    const TracedCall call("cudaEventSynchronize");
    spend(options().call_ns);
    if (const auto mark = latest(event)) mark->wait();
    check_streams();
  }
  double elapsedTime(void* event1, void* event2, c10::DeviceIndex) const override {
    spend(options().call_ns);
    const auto from = latest(event1), to = latest(event2);
    TORCH_CHECK(from && to, "both events must be recorded");
    TORCH_CHECK(static_cast<Event*>(event1)->timed && static_cast<Event*>(event2)->timed,
                "both events must keep the time");
    TORCH_CHECK(from->passed() && to->passed(), "both events must be completed: device not ready");
    return static_cast<double>(to->ns() - from->ns()) / 1e6;
  }

 private:
  static c10::DeviceIndex index_of(c10::Device device) {
    return device.index() < 0 ? current_device() : device.index();
  }
};

const c10::impl::DeviceGuardImplRegistrar registered(kType, new Guard);

}  // namespace
}  // namespace batchscope::simulated
