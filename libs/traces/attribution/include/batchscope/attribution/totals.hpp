#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "batchscope/attribution/spans.hpp"
#include "batchscope/attribution/trace_index.hpp"
#include "batchscope/trace/trace.hpp"

namespace batchscope::attribution {

// What the host or the devices did under one name, summed over a trace.
struct Total {
  std::string name;
  trace::ActivityKind kind = trace::ActivityKind::op;
  int64_t calls = 0;
  int64_t total_ns = 0;  // of the host: with what it called, a moment counted once a thread
  int64_t self_ns = 0;   // without what it called; of a device: its duration
  int64_t longest_ns = 0;
  // Of those that begin within the steps: they may cover a part of the recording alone.
  int64_t calls_in_steps = 0;
  int64_t in_steps_ns = 0;    // of self_ns
  trace::LaunchFacts launch;  // of a kernel's longest launch
  int64_t bytes = 0;          // of copies, in all
  trace::CopyFacts copy;      // of the first copy
  bool communicates = false;  // of a kernel: it talks to other devices

  double mean_ns() const {
    return calls > 0 ? static_cast<double>(total_ns) / static_cast<double>(calls) : 0;
  }
};

// By kind and name, the longest self time first. Every moment of a thread is the self time of its
// innermost open activity; what devices do does not nest. Python functions and ranges of devices
// are left out. `steps`: from the start of the first to the end of the last. Sums stop at the
// largest int64_t.
std::vector<Total> totals(const TraceIndex& index, Span steps = {});

}  // namespace batchscope::attribution
