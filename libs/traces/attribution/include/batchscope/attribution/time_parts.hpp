#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace batchscope::attribution {

// What a moment of a device is: exactly one of these. Busy ones first, in the order in which one
// goes before another where several run at once.
enum class Part : uint8_t {
  compute,          // a kernel runs
  memcpy,           // no kernel, but a copy or a memset: it is exposed
  communication,    // neither, but a kernel that talks to other devices: it is exposed
  data_loading,     // idle: the host waits for samples
  synchronisation,  // idle: the host waits for the device, or did when it should have launched
  launch,           // idle: the host launches, one operator after another, slower than they run
  host,             // idle: the host does something else
  device,           // idle: the host launched in time; the device itself holds it back
  unknown,          // idle, and the trace does not say why
};
inline constexpr size_t kParts = 9;
// "compute", "data_loading": as in JSON.
std::string_view to_string(Part part);
// "data loading": as in texts.
std::string in_words(Part part);

constexpr bool is_idle(Part part) {
  return part >= Part::data_loading;
}

// Nanoseconds of each part; their sum is the wall time, exactly.
struct TimeParts {
  std::array<int64_t, kParts> ns{};

  int64_t operator[](Part part) const { return ns[static_cast<size_t>(part)]; }
  int64_t& operator[](Part part) { return ns[static_cast<size_t>(part)]; }
  int64_t wall_ns() const;
  int64_t idle_ns() const;
  int64_t busy_ns() const { return wall_ns() - idle_ns(); }
  // Of the wall time; 0 where there is none.
  double share(Part part) const;
  double busy_share() const;
  Part largest() const;  // of equal ones the first
  TimeParts& operator+=(const TimeParts& other);
  bool operator==(const TimeParts&) const = default;
};

// A stretch of a device's time that is one part.
struct Piece {
  int64_t start_ns = 0;
  int64_t end_ns = 0;
  Part part = Part::unknown;
  bool operator==(const Piece&) const = default;
};

}  // namespace batchscope::attribution
