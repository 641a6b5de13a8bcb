#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "batchscope/base/strings.hpp"
#include "batchscope/host/text_fields.hpp"
#include "readings/rise.hpp"
#include "readings/traffic_meters.hpp"

namespace batchscope::host {
namespace {

constexpr int64_t kSectorBytes = 512;  // of diskstats, whatever the disk's own are
constexpr std::array<std::string_view, 6> kPassOn = {"loop", "ram", "zram", "dm-", "md", "sr"};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string_view without_digits(std::string_view text) {
  while (!text.empty() && is_digit(text.back())) text.remove_suffix(1);
  return text;
}

// The disk that a partition of this name is of: sda1 of sda, nvme0n1p2 of nvme0n1. Empty for what
// can be no partition.
std::string_view disk_of(std::string_view name) {
  std::string_view disk = without_digits(name);
  if (disk.size() == name.size()) return {};
  const bool after_digit = disk.size() > 1 && disk.back() == 'p' && is_digit(disk[disk.size() - 2]);
  if (after_digit) disk.remove_suffix(1);
  return disk;
}

// "nvme0c1n1": a path to nvme0n1, whose work is counted there too.
bool is_nvme_path(std::string_view name) {
  if (!name.starts_with("nvme")) return false;
  name.remove_prefix(4);
  while (!name.empty() && is_digit(name.front())) name.remove_prefix(1);
  return name.starts_with('c');
}

bool passes_on(std::string_view name) {
  return is_nvme_path(name) || std::any_of(kPassOn.begin(), kPassOn.end(),
                                           [&](auto prefix) { return name.starts_with(prefix); });
}

struct DiskLine {
  std::string_view name;
  DiskCounters counters;
};

// "259 0 nvme0n1 reads merged sectors ms writes merged sectors ms in-flight busy-ms ..."
std::optional<DiskLine> parse_line(std::string_view text) {
  const auto fields = split_fields(text);
  if (fields.size() < 13) return std::nullopt;
  const auto read = parse_integer(fields[5]), written = parse_integer(fields[9]);
  const auto busy = parse_integer(fields[12]);
  if (!read || !written || !busy) return std::nullopt;
  return DiskLine{fields[2], {*read * kSectorBytes, *written * kSectorBytes, *busy}};
}

}  // namespace

Disks parse_disks(std::string_view diskstats) {
  Disks disks;
  for (const std::string_view text : base::split(diskstats, '\n')) {
    const auto line = parse_line(text);
    if (line && !passes_on(line->name)) disks.emplace(line->name, line->counters);
  }
  std::vector<std::string> partitions;
  for (const auto& [name, counters] : disks) {
    if (disks.contains(disk_of(name))) partitions.push_back(name);
  }
  for (const std::string& name : partitions) disks.erase(name);
  return disks;
}

void DiskMeter::take(const base::SystemRoot& root, double seconds,
                     telemetry::HostReading& reading) {
  Disks now = parse_disks(root.read("/proc/diskstats").value_or(""));
  for (const auto& [name, counters] : now) {
    const auto known = before_.find(name);
    if (known == before_.end() || seconds <= 0) continue;
    const auto read = rise(known->second.read_bytes, counters.read_bytes);
    const auto written = rise(known->second.written_bytes, counters.written_bytes);
    const auto busy = rise(known->second.busy_ms, counters.busy_ms);
    if (!read || !written || !busy) continue;
    const auto add = [seconds](std::optional<double>& sum, int64_t bytes) {
      sum = sum.value_or(0) + static_cast<double>(bytes) / seconds;
    };
    add(reading.disk_read_bytes_per_second, *read);
    add(reading.disk_write_bytes_per_second, *written);
    const double ratio = std::min(static_cast<double>(*busy) * 1e-3 / seconds, 1.0);
    reading.disk_busy_ratio = std::max(reading.disk_busy_ratio.value_or(0), ratio);
  }
  before_ = std::move(now);
}

}  // namespace batchscope::host
