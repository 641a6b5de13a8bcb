#include <array>
#include <optional>
#include <span>
#include <string_view>

#include "event_table.hpp"
#include "events.hpp"

namespace batchscope::trace {
namespace {

struct CallColumns {
  enum { start, end, thread, name, correlation };
};
constexpr std::array<std::string_view, 5> kCallColumns{"start", "end", "globalTid", "nameId",
                                                       "correlationId"};

// The next call of such a table, with its thread and name; nothing at the end.
std::optional<Activity> next_call(EventTable& table, ActivityKind kind, SqliteReading& reading) {
  auto activity = table.next();
  if (!activity) return activity;
  activity->kind = kind;
  activity->track = host_track_of(table.row(), CallColumns::thread, reading);
  activity->name = reading.names().number_of(table.row().integer_or(CallColumns::name, -1),
                                             without_version, reading.chunk());
  return activity;
}

void read_named(SqliteReading& reading, std::string_view name, ActivityKind kind) {
  EventTable table(reading, name, std::span(kCallColumns).first(4), 4);
  while (const auto activity = next_call(table, kind, reading)) reading.add(*activity);
}

}  // namespace

void read_calls(SqliteReading& reading) {
  EventTable table(reading, "CUPTI_ACTIVITY_KIND_RUNTIME", kCallColumns, 4);
  while (auto activity = next_call(table, ActivityKind::runtime, reading)) {
    activity->correlation = correlation_of(table.row(), CallColumns::correlation);
    reading.add(*activity);
  }
}

void read_library_calls(SqliteReading& reading) {
  read_named(reading, "CUDNN_EVENTS", ActivityKind::range);
  read_named(reading, "CUBLAS_EVENTS", ActivityKind::range);
}

void read_overheads(SqliteReading& reading, const Enums& enums) {
  constexpr std::array<std::string_view, 5> kColumns{"start", "end", "globalTid", "nameId",
                                                     "overheadType"};
  EventTable table(reading, "CUPTI_ACTIVITY_KIND_OVERHEAD", kColumns, 5);
  while (auto activity = next_call(table, ActivityKind::overhead, reading)) {
    activity->kind = enums.overhead_kind(table.row().integer_or(4, -1));
    reading.add(*activity);
  }
  read_named(reading, "PROFILER_OVERHEAD", ActivityKind::overhead);
}

void read_system_calls(SqliteReading& reading) {
  using Column = CallColumns;
  constexpr int64_t kShortNs = 10'000;
  EventTable table(reading, "OSRT_API", std::span(kCallColumns).first(4), 4);
  while (auto activity = table.next()) {
    if (activity->duration_ns < kShortNs) {
      ++reading.chunk().passed_over;
      continue;
    }
    activity->kind = ActivityKind::wait;
    activity->track = host_track_of(table.row(), Column::thread, reading);
    activity->name =
        reading.names().number_of(table.row().integer_or(Column::name, -1), reading.chunk());
    reading.add(*activity);
  }
}

}  // namespace batchscope::trace
