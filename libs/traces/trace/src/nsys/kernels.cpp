#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "event_table.hpp"
#include "events.hpp"
#include "occupancy.hpp"

namespace batchscope::trace {
namespace {

struct KernelColumns {
  enum {
    start,
    end,
    device,
    stream,
    correlation,
    process,
    full_name,
    short_name,
    registers,
    grid,
    block = grid + 3,
    static_bytes = block + 3,
    dynamic_bytes
  };
};
constexpr std::array<std::string_view, 17> kKernelColumns{"start",
                                                          "end",
                                                          "deviceId",
                                                          "streamId",
                                                          "correlationId",
                                                          "globalPid",
                                                          "demangledName",
                                                          "shortName",
                                                          "registersPerThread",
                                                          "gridX",
                                                          "gridY",
                                                          "gridZ",
                                                          "blockX",
                                                          "blockY",
                                                          "blockZ",
                                                          "staticSharedMemory",
                                                          "dynamicSharedMemory"};

// Of three columns; 0 where one of them is not known, or they have more than fits.
int64_t extent(const Statement& row, int first) {
  int64_t product = 1;
  for (int column = first; column < first + 3; ++column) {
    const int64_t value = std::max<int64_t>(0, row.integer_or(column, 0));
    if (__builtin_mul_overflow(product, value, &product)) return 0;
  }
  return product;
}

int32_t narrow(int64_t value) {
  return value > 0 && value <= std::numeric_limits<int32_t>::max() ? static_cast<int32_t>(value)
                                                                   : 0;
}

LaunchFacts facts_of(const Statement& row, const Device* device) {
  using Column = KernelColumns;
  LaunchFacts facts;
  facts.grid_blocks = extent(row, Column::grid);
  facts.threads_per_block = narrow(extent(row, Column::block));
  facts.registers_per_thread = narrow(row.integer_or(Column::registers, 0));
  if (device == nullptr) return facts;
  const int64_t shared = narrow(row.integer_or(Column::static_bytes, 0)) +
                         int64_t{narrow(row.integer_or(Column::dynamic_bytes, 0))};
  estimate_occupancy(*device, shared, facts);
  return facts;
}

uint32_t name_of_kernel(const Statement& row, SqliteReading& reading) {
  using Column = KernelColumns;
  const auto full = row.integer(Column::full_name);
  const auto brief = row.integer(Column::short_name);
  if (!full && !brief) {
    reading.chunk().problem("a kernel without a name");
    return reading.names().number_of_text("unnamed kernel");
  }
  return reading.names().number_of(full ? *full : *brief, reading.chunk());
}

}  // namespace

void read_kernels(SqliteReading& reading, const Devices& devices) {
  using Column = KernelColumns;
  EventTable table(reading, "CUPTI_ACTIVITY_KIND_KERNEL", kKernelColumns, 4);
  DeviceTracks tracks(reading.numbering(), devices);
  while (auto activity = table.next()) {
    const Statement& row = table.row();
    const auto found = tracks.of(row, Column::device, Column::stream, Column::process);
    if (!found) {
      reading.skip("no valid device");
      continue;
    }
    activity->kind = ActivityKind::kernel;
    activity->track = found->track;
    activity->correlation = correlation_of(row, Column::correlation);
    activity->name = name_of_kernel(row, reading);
    activity->detail = static_cast<uint32_t>(reading.chunk().launches.size());
    reading.chunk().launches.push_back(facts_of(row, found->device));
    reading.add(*activity);
  }
}

void read_graphs(SqliteReading& reading, const Devices& devices) {
  constexpr std::array<std::string_view, 7> kColumns{
      "start", "end", "deviceId", "streamId", "correlationId", "globalPid", "graphId"};
  EventTable table(reading, "CUPTI_ACTIVITY_KIND_GRAPH_TRACE", kColumns, 4);
  DeviceTracks tracks(reading.numbering(), devices);
  while (auto activity = table.next()) {
    const Statement& row = table.row();
    const auto found = tracks.of(row, 2, 3, 5);
    if (!found) {
      reading.skip("no valid device");
      continue;
    }
    activity->kind = ActivityKind::kernel;
    activity->track = found->track;
    activity->correlation = correlation_of(row, 4);
    const auto graph = row.integer(6);
    activity->name = reading.names().number_of_text(graph ? "CUDA graph " + std::to_string(*graph)
                                                          : "CUDA graph");
    reading.add(*activity);
  }
}

}  // namespace batchscope::trace
