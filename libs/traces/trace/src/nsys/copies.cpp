#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>

#include "event_table.hpp"
#include "events.hpp"

namespace batchscope::trace {
namespace {

// The first columns of each of these tables.
struct CopyColumns {
  enum { start, end, device, stream, correlation, process, bytes, kind, from, to };
};
constexpr std::array<std::string_view, 10> kCopyColumns{
    "start",     "end",   "deviceId", "streamId", "correlationId",
    "globalPid", "bytes", "copyKind", "srcKind",  "dstKind"};

HostMemory host_memory_of(CopyDirection direction, MemoryKind from, MemoryKind to) {
  if (direction == CopyDirection::on_device || direction == CopyDirection::between_devices) {
    return HostMemory::none;
  }
  const MemoryKind host = direction == CopyDirection::to_host ? to : from;
  if (direction == CopyDirection::unknown) return HostMemory::unknown;
  if (host == MemoryKind::pageable) return HostMemory::pageable;
  return host == MemoryKind::pinned ? HostMemory::pinned : HostMemory::unknown;
}

// What a copy is, from three numbers of an export.
struct KindOfCopy {
  uint32_t name = kNone;  // as torch's profiler has it: "Memcpy HtoD (Pinned -> Device)"
  CopyDirection direction = CopyDirection::unknown;
  HostMemory host_memory = HostMemory::unknown;
};

class KindsOfCopies {
 public:
  KindsOfCopies(Names& names, const Enums& enums) : names_(names), enums_(enums) {}

  KindOfCopy of(const Statement& row) {
    using Column = CopyColumns;
    const std::array<int64_t, 3> key{row.integer_or(Column::kind, -1),
                                     row.integer_or(Column::from, -1),
                                     row.integer_or(Column::to, -1)};
    const auto known = known_.find(key);
    if (known != known_.end()) return known->second;
    const KindOfCopy made = make(key);
    constexpr size_t kMost = 4096;  // of any use
    if (known_.size() < kMost) known_.emplace(key, made);
    return made;
  }

 private:
  KindOfCopy make(const std::array<int64_t, 3>& key) {
    const CopyKind kind = enums_.copy_kind(key[0]);
    const MemoryKind from = enums_.memory_kind(key[1]);
    const MemoryKind to = enums_.memory_kind(key[2]);
    const std::string name = "Memcpy " + std::string(kind.word) + " (" +
                             std::string(to_string(from)) + " -> " + std::string(to_string(to)) +
                             ")";
    return {names_.number_of_text(name), kind.direction, host_memory_of(kind.direction, from, to)};
  }

  Names& names_;
  const Enums& enums_;
  std::map<std::array<int64_t, 3>, KindOfCopy> known_;
};

// The next activity of such a table, on its track; nothing at the end.
std::optional<Activity> next_on_device(EventTable& table, DeviceTracks& tracks,
                                       SqliteReading& reading) {
  using Column = CopyColumns;
  while (auto activity = table.next()) {
    const auto found = tracks.of(table.row(), Column::device, Column::stream, Column::process);
    if (found) {
      activity->track = found->track;
      activity->correlation = correlation_of(table.row(), Column::correlation);
      return activity;
    }
    reading.skip("no valid device");
  }
  return std::nullopt;
}

uint32_t add_facts(SqliteReading& reading, CopyFacts facts) {
  facts.bytes = std::max<int64_t>(0, facts.bytes);
  reading.chunk().copies.push_back(facts);
  return static_cast<uint32_t>(reading.chunk().copies.size() - 1);
}

}  // namespace

void read_copies(SqliteReading& reading, const Devices& devices, const Enums& enums) {
  EventTable table(reading, "CUPTI_ACTIVITY_KIND_MEMCPY", kCopyColumns, 4);
  DeviceTracks tracks(reading.numbering(), devices);
  KindsOfCopies kinds(reading.names(), enums);
  while (auto activity = next_on_device(table, tracks, reading)) {
    const KindOfCopy kind = kinds.of(table.row());
    activity->kind = ActivityKind::memcpy;
    activity->name = kind.name;
    activity->detail = add_facts(
        reading, {table.row().integer_or(CopyColumns::bytes, 0), kind.direction, kind.host_memory});
    reading.add(*activity);
  }
}

void read_memsets(SqliteReading& reading, const Devices& devices, const Enums& enums) {
  constexpr std::array<std::string_view, 8> kColumns{
      "start", "end", "deviceId", "streamId", "correlationId", "globalPid", "bytes", "memKind"};
  EventTable table(reading, "CUPTI_ACTIVITY_KIND_MEMSET", kColumns, 4);
  DeviceTracks tracks(reading.numbering(), devices);
  while (auto activity = next_on_device(table, tracks, reading)) {
    const MemoryKind kind = enums.memory_kind(table.row().integer_or(7, -1));
    activity->kind = ActivityKind::memset;
    activity->name =
        reading.names().number_of_text("Memset (" + std::string(to_string(kind)) + ")");
    activity->detail = add_facts(reading, {table.row().integer_or(CopyColumns::bytes, 0),
                                           CopyDirection::unknown, HostMemory::unknown});
    reading.add(*activity);
  }
}

void read_waits(SqliteReading& reading, const Devices& devices, const Enums& enums) {
  constexpr std::array<std::string_view, 7> kColumns{
      "start", "end", "deviceId", "streamId", "correlationId", "globalPid", "syncType"};
  EventTable table(reading, "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", kColumns, 4);
  DeviceTracks tracks(reading.numbering(), devices);
  while (auto activity = next_on_device(table, tracks, reading)) {
    activity->kind = ActivityKind::device_wait;
    activity->name = reading.names().number_of_text(enums.wait_name(table.row().integer_or(6, -1)));
    reading.add(*activity);
  }
}

}  // namespace batchscope::trace
