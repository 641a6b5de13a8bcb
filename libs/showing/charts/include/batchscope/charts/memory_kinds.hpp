#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "batchscope/findings/summary.hpp"

namespace batchscope::charts {

inline constexpr double kMebibyte = 1024.0 * 1024.0;
inline constexpr double kGibibyte = 1024.0 * kMebibyte;

// The peaks that the memory chart shows.
struct MemoryKind {
  std::optional<int64_t> schema::Memory::*bytes;
  const char* title;
};
inline constexpr std::array<MemoryKind, 3> kMemoryKinds = {
    {{&schema::Memory::peak_rss_bytes, "process, peak resident"},
     {&schema::Memory::peak_allocated_bytes, "device, peak allocated"},
     {&schema::Memory::peak_reserved_bytes, "device, peak reserved"}}};

// The largest of them in bytes; 0 when none was recorded.
double largest_peak(const std::vector<findings::Group>& groups);
// What the axis counts: kMebibyte or kGibibyte.
double memory_unit(const std::vector<findings::Group>& groups);
// What the peaks of a table alone have to stay under, where that is not so far above them that it
// would press them to the floor.
std::optional<int64_t> near_memory_limit(const std::vector<findings::Group>& groups);

}  // namespace batchscope::charts
