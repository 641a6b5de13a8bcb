#include "readings/pressure_meter.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "batchscope/host/text_fields.hpp"
#include "readings/rise.hpp"

namespace batchscope::host {
namespace {

// Of "some avg10=0.12 avg60=0.05 avg300=0.01 total=123456", in microseconds.
std::optional<int64_t> total_of(std::string_view text, std::string_view kind) {
  constexpr std::string_view kTotal = "total=";
  const auto values = find_value(text, kind);
  const size_t at = values ? values->find(kTotal) : std::string_view::npos;
  if (at == std::string_view::npos) return std::nullopt;
  return parse_integer(values->substr(at + kTotal.size()));
}

std::optional<double> ratio_of(std::optional<int64_t> before, std::optional<int64_t> now,
                               double seconds) {
  if (!before || !now || seconds <= 0) return std::nullopt;
  const auto stalled = rise(*before, *now);
  if (!stalled) return std::nullopt;
  // The clocks of the kernel's account and of the reading differ a little.
  return std::min(static_cast<double>(*stalled) * 1e-6 / seconds, 1.0);
}

}  // namespace

PressureMeter::Totals PressureMeter::read(const base::SystemRoot& root,
                                          const std::filesystem::path& group, const char* of) {
  Totals totals;
  std::string text;
  if (!group.empty()) {
    totals.file = group / (std::string(of) + ".pressure");
    text = root.read_trimmed(totals.file);
  }
  if (text.empty()) {
    totals.file = std::filesystem::path("/proc/pressure") / of;
    text = root.read_trimmed(totals.file);
  }
  totals.some_us = total_of(text, "some");
  totals.full_us = total_of(text, "full");
  return totals;
}

PressureMeter::Ratios PressureMeter::take_one(Totals now, double seconds, Totals& before) {
  Ratios ratios;
  if (now.file == before.file) {
    ratios.some = ratio_of(before.some_us, now.some_us, seconds);
    ratios.full = ratio_of(before.full_us, now.full_us, seconds);
  }
  before = std::move(now);
  return ratios;
}

void PressureMeter::take(const base::SystemRoot& root, const LimitingGroups& groups, double seconds,
                         telemetry::HostReading& reading) {
  const auto& io_group = groups.memory.empty() ? groups.cpu : groups.memory;
  const Ratios cpu = take_one(read(root, groups.cpu, "cpu"), seconds, cpu_);
  const Ratios memory = take_one(read(root, groups.memory, "memory"), seconds, memory_);
  const Ratios io = take_one(read(root, io_group, "io"), seconds, io_);
  reading.pressure_cpu_some_ratio = cpu.some;
  reading.pressure_memory_some_ratio = memory.some;
  reading.pressure_memory_full_ratio = memory.full;
  reading.pressure_io_some_ratio = io.some;
  reading.pressure_io_full_ratio = io.full;
}

}  // namespace batchscope::host
