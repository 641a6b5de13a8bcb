#include "timeline.hpp"

#include <c10/core/impl/DeviceGuardImplInterface.h>

#include <chrono>
#include <cmath>

#include "device.hpp"

namespace batchscope::torch_plugin {
namespace {

int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace

void Timeline::record(size_t index) {
  if (index == events_.size()) {
    events_.emplace_back(device_.type(), c10::EventFlag::BACKEND_DEFAULT);  // keeps the time
  }
  events_[index].record(current_stream(device_));
  recorded_ = index + 1;
}

void Timeline::start(engine::PhaseSink* watcher) {
  watcher_ = watcher;
  marks_.clear();
  recorded_ = 0;
  if (is_asynchronous(device_)) record(0);
  marks_.push_back({"", now_ns(), is_asynchronous(device_)});
}

void Timeline::enter(std::string_view name) const {
  if (watcher_ != nullptr) watcher_->enter(name);
}

void Timeline::mark(std::string_view name, bool on_device) {
  const bool with_event = on_device && is_asynchronous(device_);
  if (with_event) record(recorded_);
  marks_.push_back({name, now_ns(), with_event});
}

void Timeline::wait() const {
  if (recorded_ > 0) events_[recorded_ - 1].synchronize();
}

// Event::elapsedTime would ask the device first whether it has passed both, which wait() has shown:
// two calls of the driver a phase between one iteration and the next.
int64_t Timeline::device_ns_between(size_t first, size_t second) const {
  const auto* const device = c10::impl::getDeviceGuardImpl(device_.type());
  const double ms =
      device->elapsedTime(events_[first].eventId(), events_[second].eventId(), device_.index());
  return std::llround(ms * 1e6);
}

void Timeline::report(engine::PhaseSink& sink) const {
  size_t event = 0;
  for (size_t i = 1; i < marks_.size(); ++i) {
    std::optional<int64_t> device_ns;
    if (marks_[i].on_device) {
      device_ns = device_ns_between(event, event + 1);
      ++event;
    }
    sink.phase(marks_[i].name, marks_[i].host_ns - marks_[i - 1].host_ns, device_ns);
  }
}

}  // namespace batchscope::torch_plugin
