#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/attribution/attribution.hpp"
#include "batchscope/attribution/trace_index.hpp"

namespace batchscope::attribution {

// What a thread of the host is at, by the names of what it runs.
enum class HostPart : uint8_t {
  loading,        // making samples or waiting for them, with everything that calls
  forward,        // operators outside of all others
  backward,       // of autograd
  optimizer,      // its step, and setting gradients to zero
  communication,  // with other processes: gloo, MPI, NCCL
  other,          // named ranges, calls of a runtime
  nothing,        // nothing that was recorded: Python between operators, or waiting
};
inline constexpr size_t kHostParts = 7;
std::string_view to_string(HostPart part);

// Nanoseconds of each part.
struct HostParts {
  std::array<int64_t, kHostParts> ns{};

  int64_t& operator[](HostPart part) { return ns.at(static_cast<size_t>(part)); }
  int64_t operator[](HostPart part) const { return ns.at(static_cast<size_t>(part)); }
  int64_t wall_ns() const;
  double share(HostPart part) const;
};

struct HostThread {
  int64_t process = 0;
  int64_t thread = 0;
  std::string name;
  HostParts own;        // each moment is what the innermost decides
  HostParts inclusive;  // moments in which such a thing is open, whatever it calls
  int64_t busy_ns() const { return own.wall_ns() - own[HostPart::nothing]; }
};

struct HostStep {
  int64_t number = 0;
  int64_t wall_ns = 0;
  HostParts parts;
};

// Where the host's time goes: of the steps, or of all that was recorded where there are none.
struct HostTime {
  std::string steps_named;  // what repeats and was taken for the steps; empty: recorded ones
  HostParts parts;          // of the thread that has the steps; of others where it does nothing
  std::vector<HostThread> threads;  // the busiest first, of the same time
  std::vector<HostStep> steps;
  int64_t alone_ns = 0;  // while some thread does something: only one does

  int64_t wall_ns() const { return parts.wall_ns(); }
};

// `steps` as of attribute(). All zero where nothing of the host was recorded.
HostTime host_time(const TraceIndex& index, const std::vector<Step>& steps);

}  // namespace batchscope::attribution
