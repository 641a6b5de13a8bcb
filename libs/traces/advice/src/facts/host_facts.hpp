#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "batchscope/trace/trace.hpp"

namespace batchscope::advice {

// How samples are loaded, by the class of the iterator.
enum class Loader {
  none,       // nothing in the trace is called so
  in_line,    // PyTorch's loader without workers
  workers,    // with workers
  tensorflow  // tf.data
};

// What the host did, as far as advice depends on it.
struct HostFacts {
  Loader loader = Loader::none;
  int64_t loader_workers = 0;  // 0: not known
  bool launches_graphs = false;
  bool trains = false;  // something is called backward or an optimizer
  // Of the calls of a name the share of time in which a scalar is read: .item() and what is like
  // it, or a copy of a few bytes to the host and the wait for it.
  std::map<std::string, double, std::less<>> scalar_share;
  // What the recorder wrote beside times.
  bool has_stacks = false;
  bool has_shapes = false;
  bool has_memory = false;
  int64_t launches = 0;  // calls that start kernels
};

HostFacts host_facts(const trace::Trace& trace);

}  // namespace batchscope::advice
