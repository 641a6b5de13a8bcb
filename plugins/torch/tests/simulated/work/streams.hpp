#pragma once

#include <c10/core/Stream.h>

#include "queue.hpp"

// The streams of the devices, and what each thread of the host has chosen of them.
namespace batchscope::simulated {

Queue& queue_of(const c10::Stream& stream);
c10::Stream stream_of(c10::DeviceIndex device, int64_t id);
c10::Stream current_stream(c10::DeviceIndex device);
Queue& current_queue(c10::DeviceIndex device);
// The one before.
c10::Stream set_current_stream(const c10::Stream& stream);
c10::Stream new_stream(c10::DeviceIndex device);
c10::DeviceIndex current_device();
void set_current_device(c10::DeviceIndex device);
void drain_device(c10::DeviceIndex device);
// Throws what a task on any stream threw.
void check_streams();

// What LibTorch calls lazy initialisation.
void start_driver();
bool driver_started();

}  // namespace batchscope::simulated
