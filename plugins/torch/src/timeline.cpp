#include "timeline.hpp"

#include <chrono>

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

void Timeline::start() {
  marks_.clear();
  recorded_ = 0;
  if (is_asynchronous(device_)) record(0);
  marks_.push_back({"", now_ns(), is_asynchronous(device_)});
}

void Timeline::mark(std::string_view name, bool on_device) {
  const bool with_event = on_device && is_asynchronous(device_);
  if (with_event) record(recorded_);
  marks_.push_back({name, now_ns(), with_event});
}

void Timeline::wait() const {
  if (recorded_ > 0) events_[recorded_ - 1].synchronize();
}

void Timeline::report(engine::PhaseSink& sink) const {
  size_t event = 0;
  for (size_t i = 1; i < marks_.size(); ++i) {
    std::optional<int64_t> device_ns;
    if (marks_[i].on_device) {
      const double ms = events_[event].elapsedTime(events_[event + 1]);
      device_ns = static_cast<int64_t>(ms * 1e6);
      ++event;
    }
    sink.phase(marks_[i].name, marks_[i].host_ns - marks_[i - 1].host_ns, device_ns);
  }
}

}  // namespace batchscope::torch_plugin
