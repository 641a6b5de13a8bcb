#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace batchscope::trace {

// What a span of time in a trace is.
enum class ActivityKind : uint8_t {
  op,       // an operator of the framework, on the host
  python,   // a Python function
  range,    // a range that somebody named: record_function, NVTX, ProfilerStep
  runtime,  // a call of the device's runtime or driver
  wait,     // the operating system holds the thread: a call that the recorder saw block
  kernel,   // on a device, as the next two
  memcpy,
  memset,
  device_range,  // a host's range as the recorder projects it onto a device: nothing runs
  device_wait,   // a stream waits for an event or the device for its streams: nothing runs
  overhead,      // of the recorder itself
};
std::string_view to_string(ActivityKind kind);

// Whether a device does something during it.
constexpr bool occupies_device(ActivityKind kind) {
  return kind == ActivityKind::kernel || kind == ActivityKind::memcpy ||
         kind == ActivityKind::memset;
}

// Whether a thread of the host spends its time in it.
constexpr bool on_host(ActivityKind kind) {
  return kind == ActivityKind::op || kind == ActivityKind::python || kind == ActivityKind::range ||
         kind == ActivityKind::runtime || kind == ActivityKind::wait ||
         kind == ActivityKind::overhead;
}

inline constexpr uint32_t kNone = UINT32_MAX;

// What is known of one kernel launch. 0: not known; of occupancy: negative.
struct LaunchFacts {
  int64_t grid_blocks = 0;
  int32_t threads_per_block = 0;
  int32_t blocks_per_multiprocessor = 0;  // how many fit at once
  int32_t multiprocessors = 0;            // of the device it ran on
  int32_t registers_per_thread = 0;
  float occupancy = -1;        // estimated by the recorder, 0 to 1
  bool is_collective = false;  // it talks to other devices, as the recorder says
  uint32_t group = kNone;      // of those that talk, as the recorder names it: into Trace::names
  bool operator==(const LaunchFacts&) const = default;
};

enum class CopyDirection : uint8_t { unknown, to_device, to_host, on_device, between_devices };
enum class HostMemory : uint8_t { unknown, none, pageable, pinned };

// What is known of one copy, or of one memset. 0 bytes: not known.
struct CopyFacts {
  int64_t bytes = 0;
  CopyDirection direction = CopyDirection::unknown;
  HostMemory host_memory = HostMemory::unknown;  // none: no side of it is the host
  bool operator==(const CopyFacts&) const = default;
};

// One row of the table.
struct Activity {
  int64_t start_ns = 0;
  int64_t duration_ns = 0;   // at least 0
  int64_t correlation = -1;  // the same of a runtime call and of what it started; -1: none
  uint32_t name = kNone;     // index into Trace::names
  uint32_t track = kNone;    // index into Trace::tracks
  // Of a kernel into Trace::launches, of a copy or memset into Trace::copies, of an operator the
  // types of its inputs as an index into Trace::names; or kNone.
  uint32_t detail = kNone;
  ActivityKind kind = ActivityKind::op;

  int64_t end_ns() const { return start_ns + duration_ns; }
};

// Activities, a column a field, each as long as the others.
struct ActivityTable {
  std::vector<int64_t> start_ns;
  std::vector<int64_t> duration_ns;
  std::vector<int64_t> correlation;
  std::vector<uint32_t> name;
  std::vector<uint32_t> track;
  std::vector<uint32_t> detail;
  std::vector<ActivityKind> kind;

  size_t size() const { return start_ns.size(); }
  bool empty() const { return start_ns.empty(); }
  int64_t end_ns(size_t row) const { return start_ns[row] + duration_ns[row]; }
  Activity row(size_t index) const;
  void add(const Activity& activity);
  void append(const ActivityTable& others);
  void reserve(size_t rows);
  void resize(size_t rows);
};

}  // namespace batchscope::trace
