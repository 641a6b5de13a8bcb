#include "about.hpp"

#include <array>
#include <string_view>

#include "event_table.hpp"

namespace batchscope::trace {
namespace {

// Of META_DATA_EXPORT, which has the words that the exporter was called with too; empty: not said.
std::string setting(Reading& reading, std::string_view name) {
  constexpr std::array<std::string_view, 2> kColumns{"name", "value"};
  Table table(reading, "META_DATA_EXPORT", kColumns, kColumns.size());
  while (table.step()) {
    if (table.row().text(0) == name) return std::string(table.row().text(1));
  }
  return {};
}

}  // namespace

std::string recorder_of(Reading& reading) {
  constexpr size_t kLongest = 32;
  const std::string version = setting(reading, "EXPORT_PRODUCT_VERSION");
  const bool is_version =
      version.size() <= kLongest && version.find_first_not_of(".0123456789") == std::string::npos;
  return version.empty() || !is_version ? "Nsight Systems" : "Nsight Systems " + version;
}

int64_t base_time_of(Reading& reading) {
  // It was told to count from 1970.
  if (setting(reading, "EXPORT_PARAM_TIME_NORMALIZE") == "true") return 0;
  constexpr std::array<std::string_view, 2> kColumns{"utcEpochNs", "systemClockNs"};
  Table table(reading, "TARGET_INFO_SESSION_START_TIME", kColumns, 1);
  if (!table.step()) return 0;
  // Times count from the start of the session, or since some version from that of the system.
  int64_t base = 0;
  const bool fits =
      !__builtin_sub_overflow(table.row().integer_or(0, 0), table.row().integer_or(1, 0), &base);
  return fits && base > 0 ? base : 0;
}

void read_thread_names(Reading& reading) {
  constexpr std::array<std::string_view, 2> kColumns{"globalTid", "nameId"};
  constexpr size_t kMost = 1'000'000;
  Table table(reading, "ThreadNames", kColumns, kColumns.size());
  while (reading.chunk().labels.size() < kMost && table.step()) {
    const auto thread = table.row().integer(0);
    const auto name = table.row().integer(1);
    if (!thread || !name) continue;
    const uint32_t number = reading.names().number_of(*name, reading.chunk());
    const GlobalId id = global_id_of(*thread);
    reading.chunk().labels.push_back(
        {id.process, id.thread, readable_name(reading.numbering().names.texts()[number])});
  }
}

}  // namespace batchscope::trace
