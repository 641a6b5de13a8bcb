#pragma once

#include <c10/core/Device.h>

#include <memory>
#include <vector>

#include "batchscope/base/result.hpp"
#include "trace_totals.hpp"

namespace batchscope::torch_plugin {

// Whether the tracer sees what runs on a device of that type, and not only the host.
bool tracer_sees(const c10::Device& device);

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
