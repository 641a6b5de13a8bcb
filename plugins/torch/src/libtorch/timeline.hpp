#pragma once

#include <c10/core/Event.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "batchscope/engine/engine.hpp"

namespace batchscope::torch_plugin {

// The phases of one iteration. Marking takes the host's clock and, on a device with its own,
// records an event on the current stream; nothing is read, and so nothing waits, before report().
//
// A phase's device time runs from event to event: where the device waits for the host to issue
// more, that is in it.
class Timeline {
 public:
  explicit Timeline(c10::Device device) : device_(device) {}

  // `watcher` is told of phases while they run; null: nobody is. It outlives the iteration.
  void start(engine::PhaseSink* watcher = nullptr);
  // A phase begins, for the watcher; its time counts from the last mark all the same.
  void enter(std::string_view name) const;
  // Ends the phase that began at the last mark. `name` outlives the timeline. A phase that only
  // waits has no device time.
  void mark(std::string_view name, bool on_device = true);
  // Blocks until the device has passed the last event.
  void wait() const;
  // After wait().
  void report(engine::PhaseSink& sink) const;

 private:
  struct Mark {
    std::string_view name;
    int64_t host_ns = 0;
    bool on_device = false;
  };

  void record(size_t index);
  int64_t device_ns_between(size_t first, size_t second) const;

  c10::Device device_;
  std::vector<Mark> marks_;         // the first is the start
  std::vector<c10::Event> events_;  // one a mark that is on the device, used again each iteration
  size_t recorded_ = 0;
  engine::PhaseSink* watcher_ = nullptr;
};

}  // namespace batchscope::torch_plugin
