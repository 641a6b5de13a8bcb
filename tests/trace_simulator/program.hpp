#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace batchscope::trace_simulator {

// What a thread of the host spends its time for.
enum class Effort : uint8_t { launching, loading, host_work };

enum class HostKind : uint8_t { op, python, range, runtime };
enum class DeviceKind : uint8_t { kernel, memcpy, memset };

// A stream of a device.
struct Place {
  int device = 0;
  int64_t stream = 7;
  auto operator<=>(const Place&) const = default;
};

// What a device is given to do.
struct DeviceWork {
  DeviceKind kind = DeviceKind::kernel;
  std::string name;
  int64_t ns = 0;
  int64_t held_ns =
      0;  // it starts so much later than it could, and nothing that is recorded says why
  int64_t bytes = 0;  // of copies
  bool is_collective = false;
};

enum class Act : uint8_t {
  spend,               // time, as `effort` says
  open,                // an activity of `kind` begins
  close,               // and the last one that is open ends
  call,                // of the runtime, which starts `work` one after the other at `place`
  copy,                // a call that returns once its one piece of work is done
  synchronise_stream,  // a call that returns once all is done that was launched there
  synchronise_device,
  synchronise_record,  // a call that returns once the event `mark` is reached
  allocate,            // a call that takes time and waits for nothing
  release,             // a call that waits for the device and takes time
  record,              // the event `mark` is what was launched last at `place`
  wait_for_record,     // what is launched next at `place` starts behind the event `mark`
  post,                // the threads that await `mark` go on
  await,
  take_batch,       // from the loader's workers; waits where they are not ready
  start_recording,  // nothing before this is in the trace, but what a device still does later
};

struct Instruction {
  Act act = Act::spend;
  Effort effort = Effort::launching;
  HostKind kind = HostKind::op;
  std::string name;
  int64_t ns = 0;  // that is spent, or that a call takes where it waits for nothing
  Place place;
  int mark = 0;
  std::vector<DeviceWork> work;
};

struct HostThread {
  int64_t id = 0;
  std::string name;
  std::vector<Instruction> script;
};

// Processes that make batches ahead; each makes every workers-th batch.
struct LoaderWorkers {
  int workers = 0;
  int prefetched = 2;  // batches that each worker is asked for ahead
  int ready = 0;       // batches that are there at the start
  std::vector<int64_t> batch_ns;
};

// A loop of training or serving: what its threads do, one thing after the other. Everything random
// has been drawn, so that another world (simulation.hpp) differs by what is changed alone.
struct Program {
  std::vector<HostThread> threads;
  LoaderWorkers loader;
  int64_t latency_ns = 4000;  // from the end of a call to the start of its work; may be negative
  int64_t spacing_ns = 1200;  // between the work of one stream
  int64_t return_ns = 3000;   // from the end of what a call waits for to its own
  int64_t wake_ns = 15'000;   // until a thread that awaits another one goes on
  size_t queue = 1024;        // launches that a stream takes ahead
};

}  // namespace batchscope::trace_simulator
