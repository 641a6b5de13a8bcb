#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "driver/library.hpp"

namespace batchscope::gpu {

// Errors that the driver reports as they happen (XID), of all GPUs. Shared by their threads.
class XidEvents {
 public:
  explicit XidEvents(std::shared_ptr<const nvml::Library> library);
  ~XidEvents();
  XidEvents(const XidEvents&) = delete;
  XidEvents& operator=(const XidEvents&) = delete;

  // From now on errors of this GPU are told too; where it has none to tell nothing happens.
  void add(nvml::Device device, unsigned index);

  struct Xid {
    unsigned index;  // of the GPU
    unsigned long long number;
  };
  // The next that has happened, without waiting for one.
  std::optional<Xid> next();

 private:
  std::shared_ptr<const nvml::Library> library_;
  nvml::EventSet set_ = nullptr;
  std::mutex mutex_;
  std::map<nvml::Device, unsigned> devices_;
};

}  // namespace batchscope::gpu
