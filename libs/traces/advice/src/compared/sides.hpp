#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "batchscope/advice/trace_summary.hpp"

namespace batchscope::advice {

// What of two sides is held against each other.
enum class Compared {
  devices,
  host,      // neither side has a device: the host's time by parts
  host_wall  // one side has none: how long it takes
};
struct Scale {
  bool by_step = false;
  Compared what = Compared::devices;
  bool of_host() const { return what != Compared::devices; }
};

// What one side spends on one device, or on the host, in a step or in all.
struct Side {
  double wall_ns = 0;
  std::vector<double> parts;        // they sum to the wall
  std::vector<double> walls;        // of each recording
  std::vector<double> step_walls;   // of all files, in their order
  std::vector<double> inner_walls;  // those of them that the median is of
  size_t files = 0;
};

// One file a rank of one job, or several recordings of it: files of one rank, or of none, are
// recordings of their own.
using Files = std::vector<TraceSummary>;

// The files of each recording: the k-th file of every rank.
std::vector<std::vector<const TraceSummary*>> recordings_of(const Files& files);

Scale scale_of(const Files& before, const Files& after);
// In a step: the median of the steps, without the first and the last where there are five or more.
// A mean over the devices, the ranks and the recordings.
Side side_of(const Files& files, Scale scale);
// The names of the parts.
std::vector<std::string> part_names(Scale scale);
size_t step_count(const TraceSummary& summary, Scale scale);

}  // namespace batchscope::advice
