#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "program.hpp"

namespace batchscope::trace_simulator {

inline constexpr size_t kNothing = SIZE_MAX;

// The real world, or one in which something costs nothing.
struct World {
  bool loading_takes_time = true;
  bool host_work_takes_time = true;
  bool calls_wait = true;  // those that wait for a device, and those that allocate
  bool launching_takes_time = true;
};

struct HostEvent {
  HostKind kind = HostKind::op;
  std::string name;
  size_t thread = 0;  // of the program
  int64_t start_ns = 0;
  int64_t end_ns = 0;
  int64_t correlation = -1;
  bool synchronises = false;
  Place place;  // of what synchronises
};

// What a thread is doing, which no trace says.
enum class Doing : uint8_t { launching, loading, host_work, blocked, awaiting };

struct HostState {
  int64_t start_ns = 0;
  int64_t end_ns = 0;
  Doing doing = Doing::launching;
  size_t awaited = 0;  // the thread
};

struct DeviceEvent {
  DeviceKind kind = DeviceKind::kernel;
  std::string name;
  Place place;
  int64_t start_ns = 0;
  int64_t end_ns = 0;
  int64_t held_ns = 0;
  int64_t bytes = 0;
  int64_t correlation = -1;
  bool is_collective = false;
  // Who started it, and when; the call blocks its thread until it is done.
  size_t thread = 0;
  int64_t called_ns = 0;
  bool call_blocks = false;
  // The other device event whose end it waited for last, or kNothing where that was the call.
  size_t after = kNothing;
  // Its record was lost, or says that it began at the time zero.
  bool is_lost = false;
  bool lacks_time = false;
};

struct Timeline {
  std::vector<HostEvent> host;
  std::vector<DeviceEvent> device;             // those of one stream in their order
  std::vector<std::vector<HostState>> states;  // of each thread, in order and without holes
  int64_t recorded_from_ns = INT64_MIN;
};

// Runs the program: each thread goes through its script; of those that can go on, the one whose
// clock shows least goes first. A stream does its work in order; streams do not slow each other.
// Aborts where all threads await each other.
Timeline simulate(const Program& program, const World& world = {});

}  // namespace batchscope::trace_simulator
