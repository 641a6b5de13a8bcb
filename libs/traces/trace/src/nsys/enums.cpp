#include "enums.hpp"

#include <array>

#include "table.hpp"

namespace batchscope::trace {
namespace {

// What a name that ends so means, and the number that it has in exports without names. Those
// numbers: https://docs.nvidia.com/nsight-systems/2021.5/nsys-exporter/exported_data.html and, of
// waits, CUpti_ActivitySynchronizationType.
template <class T>
struct Meaning {
  std::string_view suffix;
  int64_t number;
  T meaning;
};

constexpr std::array<Meaning<CopyKind>, 13> kCopies{{
    {"_HTOD", 1, {"HtoD", CopyDirection::to_device}},
    {"_DTOH", 2, {"DtoH", CopyDirection::to_host}},
    {"_HTOA", 3, {"HtoA", CopyDirection::to_device}},
    {"_ATOH", 4, {"AtoH", CopyDirection::to_host}},
    {"_ATOA", 5, {"AtoA", CopyDirection::on_device}},
    {"_ATOD", 6, {"AtoD", CopyDirection::on_device}},
    {"_DTOA", 7, {"DtoA", CopyDirection::on_device}},
    {"_DTOD", 8, {"DtoD", CopyDirection::on_device}},
    {"_HTOH", 9, {"HtoH", CopyDirection::unknown}},
    {"_PTOP", 10, {"PtoP", CopyDirection::between_devices}},
    {"_UVM_HTOD", 11, {"HtoD", CopyDirection::to_device}},
    {"_UVM_DTOH", 12, {"DtoH", CopyDirection::to_host}},
    {"_UVM_DTOD", 13, {"DtoD", CopyDirection::between_devices}},
}};

constexpr std::array<Meaning<MemoryKind>, 7> kMemories{{
    {"_PAGEABLE", 0, MemoryKind::pageable},
    {"_PINNED", 1, MemoryKind::pinned},
    {"_DEVICE", 2, MemoryKind::device},
    {"_ARRAY", 3, MemoryKind::array},
    {"_MANAGED", 4, MemoryKind::managed},
    {"_DEVICE_STATIC", 5, MemoryKind::device},
    {"_MANAGED_STATIC", 6, MemoryKind::managed},
}};

// As torch's profiler calls them.
constexpr std::array<Meaning<std::string_view>, 4> kWaits{{
    {"_EVENT_SYNCHRONIZE", 1, "Event Sync"},
    {"_STREAM_WAIT_EVENT", 2, "Stream Wait Event"},
    {"_STREAM_SYNCHRONIZE", 3, "Stream Sync"},
    {"_CONTEXT_SYNCHRONIZE", 4, "Context Sync"},
}};

constexpr std::array<Meaning<ActivityKind>, 7> kOverheads{{
    {"_DRIVER_COMPILER", 2, ActivityKind::runtime},
    {"_CUPTI_BUFFER_FLUSH", 3, ActivityKind::overhead},
    {"_CUPTI_INSTRUMENTATION", 4, ActivityKind::overhead},
    {"_CUPTI_RESOURCE", 5, ActivityKind::overhead},
    {"_MODULE_LOADING", 6, ActivityKind::runtime},
    {"_FUNCTION_LOADING", 7, ActivityKind::runtime},
    {"_COMMAND_BUFFER_FULL", 8, ActivityKind::wait},
}};

// "Nvtxt" are those that were imported from text.
constexpr std::array<Meaning<bool>, 4> kRanges{{
    {"NvtxPushPopRange", 59, true},
    {"NvtxStartEndRange", 60, true},
    {"NvtxtPushPopRange", 70, true},
    {"NvtxtStartEndRange", 71, true},
}};

template <class T, size_t N>
std::map<int64_t, T> meanings_of(SqliteReading& reading, std::string_view table,
                                 const std::array<Meaning<T>, N>& all) {
  constexpr std::array<std::string_view, 2> kColumns{"id", "name"};
  constexpr size_t kMost = 4096;
  std::map<int64_t, T> meanings;
  Table rows(reading, table, kColumns, kColumns.size());
  while (meanings.size() < kMost && rows.step()) {
    const auto id = rows.row().integer(0);
    const std::string_view name = rows.row().text(1);
    for (const Meaning<T>& each : all) {
      if (id && name.ends_with(each.suffix)) meanings[*id] = each.meaning;
    }
  }
  if (meanings.empty()) {
    for (const Meaning<T>& each : all) meanings[each.number] = each.meaning;
  }
  return meanings;
}

template <class T>
T found_or(const std::map<int64_t, T>& map, int64_t number, T otherwise) {
  const auto found = map.find(number);
  return found == map.end() ? otherwise : found->second;
}

}  // namespace

std::string_view to_string(MemoryKind kind) {
  constexpr std::array<std::string_view, 6> kWords{"Unknown", "Pageable", "Pinned",
                                                   "Device",  "Array",    "Managed"};
  return kWords[static_cast<size_t>(kind)];
}

Enums::Enums(SqliteReading& reading)
    : copies_(meanings_of(reading, "ENUM_CUDA_MEMCPY_OPER", kCopies)),
      memories_(meanings_of(reading, "ENUM_CUDA_MEM_KIND", kMemories)),
      waits_(meanings_of(reading, "ENUM_CUPTI_SYNC_TYPE", kWaits)),
      overheads_(meanings_of(reading, "ENUM_CUPTI_OVERHEAD_TYPE", kOverheads)),
      is_range_(meanings_of(reading, "ENUM_NSYS_EVENT_TYPE", kRanges)) {}

CopyKind Enums::copy_kind(int64_t number) const {
  return found_or(copies_, number, CopyKind());
}

MemoryKind Enums::memory_kind(int64_t number) const {
  return found_or(memories_, number, MemoryKind::unknown);
}

std::string_view Enums::wait_name(int64_t number) const {
  return found_or<std::string_view>(waits_, number, "Unknown Sync");
}

ActivityKind Enums::overhead_kind(int64_t number) const {
  return found_or(overheads_, number, ActivityKind::overhead);
}

bool Enums::is_range(int64_t event_type) const {
  return found_or(is_range_, event_type, false);
}

}  // namespace batchscope::trace
