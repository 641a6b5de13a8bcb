#pragma once

#include <c10/core/Device.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "batchscope/base/result.hpp"
#include "trace_totals.hpp"

namespace batchscope::torch_plugin {

// Whether the tracer knows of devices of that type, and not only of the host. That it sees what
// runs on them takes more: a LibTorch with the tracer of that maker.
bool tracer_sees(const c10::Device& device);

// What an event is by the number of its libkineto::ActivityType; nothing for one that is no work of
// the host or the device, such as an allocation or the tracer's own overhead.
std::optional<TraceEvent::Kind> kind_of_activity(uint8_t type);

// Records what LibTorch does, by Kineto, from start() on: on the thread that started it, and on
// those that work for it. One at a time.
class Tracer {
 public:
  // Errors: failed (this LibTorch has no tracer, or it is on already).
  static base::Result<std::unique_ptr<Tracer>> start(const c10::Device& device);

  Tracer(const Tracer&) = delete;
  Tracer& operator=(const Tracer&) = delete;
  ~Tracer();  // off, whatever happened

  // Off, and what was recorded, in no order; once. The device is to be idle. Errors: failed.
  base::Result<std::vector<TraceEvent>> stop();

 private:
  Tracer() = default;

  bool on_ = true;
};

}  // namespace batchscope::torch_plugin
