#include "xid_events.hpp"

#include <utility>

#include "driver/status.hpp"

namespace batchscope::gpu {

XidEvents::XidEvents(std::shared_ptr<const nvml::Library> library) : library_(std::move(library)) {
  if (nvml::call(library_->make_event_set, &set_) != nvml::kSuccess) set_ = nullptr;
}

XidEvents::~XidEvents() {
  if (set_ != nullptr) nvml::call(library_->free_event_set, set_);
}

void XidEvents::add(nvml::Device device, unsigned index) {
  if (set_ == nullptr) return;
  {
    const std::lock_guard lock(mutex_);
    if (devices_.contains(device)) return;
  }
  const nvml::Status status = nvml::call(library_->register_events, device, nvml::kEventXid, set_);
  // One that refuses is not asked again.
  if (status != nvml::kSuccess && nvml::outcome_of(status) != nvml::Outcome::refused) return;
  const std::lock_guard lock(mutex_);
  devices_[device] = index;
}

std::optional<XidEvents::Xid> XidEvents::next() {
  {
    const std::lock_guard lock(mutex_);
    if (devices_.empty()) return std::nullopt;
  }
  for (;;) {
    nvml::Event event{};
    const nvml::Status status = nvml::call(library_->wait_for_event, set_, &event, 0U);
    if (status != nvml::kSuccess) return std::nullopt;
    const std::lock_guard lock(mutex_);
    const auto found = devices_.find(event.device);
    if (event.kind == nvml::kEventXid && found != devices_.end()) {
      return Xid{found->second, event.data};
    }
  }
}

}  // namespace batchscope::gpu
