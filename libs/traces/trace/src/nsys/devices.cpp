#include "devices.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

#include "table.hpp"

namespace batchscope::trace {
namespace {

constexpr size_t kMostGpus = 4096;

struct GpuColumns {
  enum { id, name, memory, processors, major, minor, warps, blocks, registers, shared };
};
constexpr std::array<std::string_view, 10> kGpuColumns{
    "id",           "name",          "totalMemory",    "smCount",           "computeMajor",
    "computeMinor", "maxWarpsPerSm", "maxBlocksPerSm", "maxRegistersPerSm", "maxShmemPerSm"};

int small(const Statement& row, int column) {
  const int64_t value = row.integer_or(column, 0);
  return value > 0 && value <= std::numeric_limits<int>::max() ? static_cast<int>(value) : 0;
}

// What fits no multiprocessor that there will be is no limit of one.
int64_t limit(const Statement& row, int column) {
  constexpr int64_t kMost = int64_t{1} << 30;
  const int64_t value = row.integer_or(column, 0);
  return value > 0 && value <= kMost ? value : 0;
}

}  // namespace

Devices::Devices(SqliteReading& reading) {
  read_gpus(reading);
  read_views(reading);
}

void Devices::read_gpus(SqliteReading& reading) {
  using Column = GpuColumns;
  Table table(reading, "TARGET_INFO_GPU", kGpuColumns, 1);
  while (devices_.size() < kMostGpus && table.step()) {
    Statement& row = table.row();
    Device device;
    device.info.id = row.integer_or(Column::id, -1);
    device.info.name = readable_name(row.text(Column::name).substr(0, 256));
    device.info.memory_bytes = std::max<int64_t>(0, row.integer_or(Column::memory, 0));
    device.info.multiprocessors = small(row, Column::processors);
    device.info.compute_major = small(row, Column::major);
    device.info.compute_minor = small(row, Column::minor);
    device.warps = limit(row, Column::warps);
    device.blocks = limit(row, Column::blocks);
    device.registers = limit(row, Column::registers);
    device.shared_bytes = limit(row, Column::shared);
    if (device.info.id >= 0) devices_.emplace(device.info.id, std::move(device));
  }
}

void Devices::read_views(SqliteReading& reading) {
  constexpr std::array<std::string_view, 3> kColumns{"pid", "cudaId", "gpuId"};
  constexpr size_t kMostViews = 65'536;
  Table table(reading, "TARGET_INFO_CUDA_DEVICE", kColumns, kColumns.size());
  while (numbers_.size() < kMostViews && table.step()) {
    const auto process = table.row().integer(0);
    const auto own = table.row().integer(1);
    const auto gpu = table.row().integer(2);
    if (process && own && gpu && device(*gpu) != nullptr) numbers_[{*process, *own}] = *gpu;
  }
}

int64_t Devices::number_of(int64_t process, int64_t device) const {
  const auto found = numbers_.find({process, device});
  return found == numbers_.end() ? device : found->second;
}

const Device* Devices::device(int64_t number) const {
  const auto found = devices_.find(number);
  return found == devices_.end() ? nullptr : &found->second;
}

std::vector<DeviceInfo> Devices::infos() const {
  std::vector<DeviceInfo> infos;
  infos.reserve(devices_.size());
  for (const auto& [id, device] : devices_) infos.push_back(device.info);
  return infos;
}

}  // namespace batchscope::trace
