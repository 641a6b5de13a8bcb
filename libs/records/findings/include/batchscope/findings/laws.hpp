#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace batchscope::findings {

// The law that fits the good sizes best, by leave-one-out error.
struct TimeLaw {
  std::string kind;     // affine, roofline, staircase, two-segments
  std::string formula;  // "12.1 ms + 8.3 ms x batch_size"
  std::vector<double> coefficients;
  double largest_loo_error = 0;  // relative, at the worst size
  int64_t worst_batch_size = 0;
};

// A batch size that takes more memory than its neighbours suggest.
struct MemoryJump {
  int64_t batch_size = 0;
  double excess_bytes = 0;  // over the line through its neighbours
};

// The peaks that a law is fitted to: of the device's allocator, what it gave out or took from the
// device; of the process in its iterations. Named as in the run file: "peak_allocated_bytes", ...
enum class MemoryPeak { allocated, reserved, resident };
std::string_view to_string(MemoryPeak peak);

// Peak memory against batch size: base + per sample x batch size, by relative least squares over
// the sizes measured. Definition: docs/design/method.md, section 2.
struct MemoryLaw {
  MemoryPeak of = MemoryPeak::resident;
  double base_bytes = 0;
  double per_sample_bytes = 0;
  double largest_departure = 0;  // of a size from the line, relative, with its sign
  int64_t worst_batch_size = 0;  // where that is
  std::vector<MemoryJump> jumps;
  // What the line has to stay under, and the largest batch by it: predicted, not measured.
  std::optional<int64_t> limit_bytes;
  // "--memory-limit", "the machine's memory", "the memory of cuda:0 (NVIDIA H200)"
  std::string limit_of;
  std::optional<int64_t> largest_batch_size;
  std::string message;  // "310 MiB + 12.4 MiB a sample (...)"
};

}  // namespace batchscope::findings
