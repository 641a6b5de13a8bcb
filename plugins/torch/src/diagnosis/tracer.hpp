#pragma once

#include <c10/core/Device.h>

#include <filesystem>
#include <memory>

#include "batchscope/base/result.hpp"

namespace batchscope::torch_plugin {

// Whether the tracer knows of devices of that type, and not only of the host. That it sees what
// runs on them takes more: a LibTorch with the tracer of that maker.
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

  // Off, and what was recorded into `file`, which it replaces, as Kineto writes it (JSON of
  // Chrome's format); once. The device is to be idle. Kineto does not say that it could not write.
  // Errors: failed.
  base::Result<void> stop(const std::filesystem::path& file);

 private:
  Tracer() = default;

  bool on_ = true;
};

}  // namespace batchscope::torch_plugin
