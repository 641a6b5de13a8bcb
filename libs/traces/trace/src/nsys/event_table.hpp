#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "devices.hpp"
#include "reading.hpp"
#include "table.hpp"

namespace batchscope::trace {

// The process and the thread in a number of an export; 0 where it is not said.
struct GlobalId {
  int64_t process = 0;
  int64_t thread = 0;
};
constexpr GlobalId global_id_of(int64_t number) {
  return {(number >> 24) & 0xFFFFFF, number & 0xFFFFFF};
}

// A table of events, row by row. Its first columns are "start" and "end".
class EventTable {
 public:
  static constexpr int kStart = 0;
  static constexpr int kEnd = 1;

  EventTable(SqliteReading& reading, std::string_view table,
             std::span<const std::string_view> columns, size_t required)
      : reading_(reading), table_(reading, table, columns, required) {}

  // The next row, where one more can be kept.
  bool step() { return table_.step() && reading_.has_room(); }
  // Of the row; nothing, and it counts as skipped, where it has none.
  std::optional<Activity> times();
  // The next row with times; nothing at the end.
  std::optional<Activity> next();

  Statement& row() { return table_.row(); }

 private:
  SqliteReading& reading_;
  Table table_;
};

// Numbers tracks of devices; the last is at hand.
class DeviceTracks {
 public:
  DeviceTracks(Numbering& numbering, const Devices& devices)
      : numbering_(numbering), devices_(devices) {}

  struct Found {
    uint32_t track = kNone;
    const Device* device = nullptr;  // where the export describes it
  };
  // Nothing where the device's number is none.
  std::optional<Found> of(const Statement& row, int device, int stream, int global_process);

 private:
  Numbering& numbering_;
  const Devices& devices_;
  std::array<int64_t, 3> last_{-1, -1, -1};
  std::optional<Found> last_found_;
};

// Of a thread's number, and where there is none of no thread, which is said.
uint32_t host_track_of(const Statement& row, int global_thread, SqliteReading& reading);

// The number that joins a call and what it started. Old exports write 0 for none.
inline int64_t correlation_of(const Statement& row, int column) {
  const int64_t number = row.integer_or(column, -1);
  return number > 0 ? number : -1;
}

}  // namespace batchscope::trace
