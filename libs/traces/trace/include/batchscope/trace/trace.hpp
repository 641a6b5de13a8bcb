#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/trace/activity.hpp"

namespace batchscope::trace {

// A thread of a process, or a stream of a device: what is on one of them does not overlap, or
// nests.
struct Track {
  int64_t process = 0;  // the system's number; of a device's track 0 where the recorder has none
  int64_t thread = 0;   // of the host's
  int64_t device = -1;  // of a device's: its index; -1: a track of the host
  int64_t stream = -1;  // of a device's
  std::string name;     // as the recorder names the thread, or empty

  bool on_device() const { return device >= 0; }
};

// A device as the trace describes it; 0 or empty: not said.
struct DeviceInfo {
  int64_t id = 0;
  std::string name;
  int64_t memory_bytes = 0;
  int compute_major = 0;  // the compute capability of CUDA
  int compute_minor = 0;
  int multiprocessors = 0;
};

// An allocation (bytes > 0) or a release (bytes < 0) that a framework's allocator reported.
struct MemoryEvent {
  int64_t time_ns = 0;
  int64_t bytes = 0;
  uint64_t address = 0;
  int64_t device = -1;                // -1: the host's memory
  int64_t total_allocated_bytes = 0;  // afterwards; 0 where it is not said
  int64_t total_reserved_bytes = 0;   // what the allocator holds of the device
  int64_t thread = 0;
};

// How a file was read. Nothing is lost in silence: what is not in the table is counted here.
struct ReadSummary {
  std::string profiler;     // "PyTorch Profiler (Kineto)", "Nsight Systems"
  int64_t bytes = 0;        // of text or of the database, uncompressed
  int64_t events = 0;       // that stand in the table
  int64_t passed_over = 0;  // whole ones that are no activity: flows, names, counters
  int64_t skipped = 0;      // that could not be understood
  bool truncated = false;   // the file ends in the middle
  // Behind the end of the trace, where more stands than white space: another one, perhaps.
  int64_t unread_bytes = 0;
  // What was wrong and how often, for a reader: "no valid time" -> 3.
  std::map<std::string, int64_t> problems;
  bool operator==(const ReadSummary&) const = default;
};

// What one process or several did, as a recorder saw it. The table is sorted by track, then by
// start, and of what starts together the longer stands first, so that callers come before callees.
struct Trace {
  std::string source;  // the file, as it was named
  ActivityTable activities;
  std::vector<std::string> names;
  std::vector<Track> tracks;
  std::vector<size_t> first_of_track;  // rows of track t: [first_of_track[t], first_of_track[t+1])
  std::vector<LaunchFacts> launches;
  std::vector<CopyFacts> copies;
  std::vector<MemoryEvent> memory;  // in the order of time
  std::vector<DeviceInfo> devices;
  // Of the process among those that work together, where the file says.
  std::optional<int> rank;
  std::optional<int> world_size;
  // Added to times that count from it, for the time of day in nanoseconds since 1970; 0: none.
  int64_t base_time_ns = 0;
  // What the file says of the recording, by its own keys: versions ("cuda_driver_version"), what
  // the recorder was asked for ("with_stack": "1").
  std::map<std::string, std::string> settings;
  // Ranges over which counters of the device were read, which recorders do instead of kernels.
  int64_t counter_ranges = 0;
  ReadSummary read;

  std::string_view name_of(size_t row) const { return names[activities.name[row]]; }
  const Track& track_of(size_t row) const { return tracks[activities.track[row]]; }
  // Of a kernel; nullptr where nothing is known or it is none.
  const LaunchFacts* launch_of(size_t row) const;
  // Of a copy or memset; nullptr likewise.
  const CopyFacts* copy_of(size_t row) const;
  const DeviceInfo* device_info(int64_t id) const;
};

}  // namespace batchscope::trace
