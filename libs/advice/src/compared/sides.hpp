#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "batchscope/advice/trace_summary.hpp"

namespace batchscope::advice {

// How two sides are held against each other.
struct Scale {
  bool by_step = false;
  bool of_host = false;  // one side has no device: the host's time is compared
};

// What one side spends on one device, or on the host, in a step or in all.
struct Side {
  double wall_ns = 0;
  std::vector<double> parts;  // they sum to the wall
  std::vector<double> walls;  // of each recording
  int64_t steps = 0;          // in all recordings
};

// One file a rank of one job, or several recordings of it: files of one rank, or of none, are
// recordings of their own.
using Files = std::vector<TraceSummary>;

// In a step: the median of the steps, without the first and the last where there are five or more.
// A mean over the devices, the ranks and the recordings.
Side side_of(const Files& files, Scale scale);
// The names of the parts.
std::vector<std::string> part_names(Scale scale);

// The steps that count, by their numbers.
std::vector<size_t> counted_steps(const TraceSummary& summary);

}  // namespace batchscope::advice
