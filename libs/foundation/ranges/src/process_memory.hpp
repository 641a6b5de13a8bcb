#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

#include "batchscope/base/system_root.hpp"
#include "batchscope/ranges/recording.hpp"

namespace batchscope::ranges {

// The resident memory of this process over spans that overlap in any way. The kernel keeps one peak
// (VmHWM), which is set back where a span begins; what it was is kept for the spans already open.
class ProcessMemory {
 public:
  explicit ProcessMemory(base::SystemRoot root) : root_(std::move(root)) {}

  struct Span {
    uint64_t id = 0;
    std::optional<int64_t> before_bytes;
  };
  Span begin();
  MemoryUse end(const Span& span);

 private:
  struct MemoryReading {
    std::optional<int64_t> now, peak;  // bytes
  };
  MemoryReading read() const;
  bool reset_peak() const;
  void keep(std::optional<int64_t> peak);

  base::SystemRoot root_;
  std::mutex mutex_;
  uint64_t last_id_ = 0;
  // Of each open span: the highest so far; where the peak cannot be set back, that of the process
  // when the span began.
  std::map<uint64_t, std::optional<int64_t>> open_;
  bool resets_ = true;
};

}  // namespace batchscope::ranges
