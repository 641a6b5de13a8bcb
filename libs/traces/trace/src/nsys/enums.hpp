#pragma once

#include <cstdint>
#include <map>
#include <string_view>

#include "batchscope/trace/activity.hpp"
#include "reading.hpp"

namespace batchscope::trace {

struct CopyKind {
  std::string_view word = "Unknown";  // "HtoD"
  CopyDirection direction = CopyDirection::unknown;
};

enum class MemoryKind { unknown, pageable, pinned, device, array, managed };
std::string_view to_string(MemoryKind kind);

// What the numbers in an export mean. It says so itself, in tables of its own, and these go before
// what NVIDIA documents for exports that are too old to have them.
class Enums {
 public:
  explicit Enums(SqliteReading& reading);

  CopyKind copy_kind(int64_t number) const;
  MemoryKind memory_kind(int64_t number) const;
  // "Stream Wait Event"; "Unknown Sync" where the number is not known.
  std::string_view wait_name(int64_t number) const;
  // What an "overhead" is: only some are of the recorder. In others the driver compiles or loads
  // what is called, or holds the caller because the device has enough to do.
  ActivityKind overhead_kind(int64_t number) const;
  // Whether an event of NVTX is a range, both ends in one row.
  bool is_range(int64_t event_type) const;

 private:
  std::map<int64_t, CopyKind> copies_;
  std::map<int64_t, MemoryKind> memories_;
  std::map<int64_t, std::string_view> waits_;
  std::map<int64_t, ActivityKind> overheads_;
  std::map<int64_t, bool> is_range_;
};

}  // namespace batchscope::trace
