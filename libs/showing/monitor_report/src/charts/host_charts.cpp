#include <array>

#include "charts/chart_groups.hpp"

namespace batchscope::monitor_report {
namespace {

using telemetry::HostReading;
using HostGet = std::optional<double> (*)(const HostReading&);

template <auto kField>
std::optional<double> host_field(const HostReading& host) {
  const auto& value = host.*kField;
  return value ? std::optional<double>(static_cast<double>(*value)) : std::nullopt;
}

struct HostLine {
  const char* chart;  // the id of it
  const char* name;
  HostGet get;
};

struct HostChart {
  const char* id;
  const char* title;
  const char* unit;
  double scale;
  const char* note;
};

constexpr std::array kHostCharts = {
    HostChart{"cpu", "CPUs", "%", 100, "Share of the time of all usable CPUs."},
    HostChart{"pressure", "Waiting threads", "%", 100,
              "Share of time in which at least one thread waited (pressure stall information)."},
    HostChart{"memory", "Memory of the machine", "GiB", 1.0 / (1024.0 * 1024 * 1024),
              "Memory that only ending or swapping programs would free."},
    HostChart{"traffic", "Disks and network", "MB/s", 1e-6, ""}};

constexpr std::array kHostSeries = {
    HostLine{"cpu", "busy", host_field<&HostReading::cpu_busy_ratio>},
    HostLine{"cpu", "in the kernel", host_field<&HostReading::cpu_system_ratio>},
    HostLine{"cpu", "idle, waiting for disks", host_field<&HostReading::cpu_iowait_ratio>},
    HostLine{"cpu", "taken by other guests", host_field<&HostReading::cpu_steal_ratio>},
    HostLine{"cpu", "throttled by the quota", host_field<&HostReading::cpu_throttled_ratio>},
    HostLine{"pressure", "for a CPU", host_field<&HostReading::pressure_cpu_some_ratio>},
    HostLine{"pressure", "for memory", host_field<&HostReading::pressure_memory_some_ratio>},
    HostLine{"pressure", "for disks", host_field<&HostReading::pressure_io_some_ratio>},
    HostLine{"memory", "used", host_field<&HostReading::memory_used_bytes>},
    HostLine{"memory", "swap used", host_field<&HostReading::swap_used_bytes>},
    HostLine{"traffic", "read from disks", host_field<&HostReading::disk_read_bytes_per_second>},
    HostLine{"traffic", "written to disks", host_field<&HostReading::disk_write_bytes_per_second>},
    HostLine{"traffic", "received", host_field<&HostReading::network_receive_bytes_per_second>},
    HostLine{"traffic", "sent", host_field<&HostReading::network_transmit_bytes_per_second>}};

Series host_line(const HostLine& line, double scale, const RecordedSeries& recorded) {
  const auto value = [&](size_t i) -> std::optional<double> {
    const std::optional<double> raw = line.get(recorded.samples[i]->host);
    return raw ? std::optional<double>(*raw * scale) : std::nullopt;
  };
  return {line.name, 0, min_mean_max_of(recorded.clocks.front(), value)};
}

std::optional<Limit> memory_limit(const RecordedSeries& recorded, double scale) {
  if (recorded.samples.empty()) return std::nullopt;
  const auto& total = recorded.samples.back()->host.memory_total_bytes;
  if (!total) return std::nullopt;
  return Limit{static_cast<double>(*total) * scale, "total"};
}

}  // namespace

std::vector<Chart> host_charts(const RecordedSeries& recorded) {
  std::vector<Chart> charts;
  for (const HostChart& one : kHostCharts) {
    const bool is_memory = std::string_view(one.id) == "memory";
    Chart chart{one.id,
                one.title,
                one.unit,
                one.note,
                true,
                false,
                is_memory ? memory_limit(recorded, one.scale) : std::nullopt,
                {}};
    for (const HostLine& line : kHostSeries) {
      if (std::string_view(line.chart) == one.id) {
        chart.lines.push_back(host_line(line, one.scale, recorded));
      }
    }
    charts.push_back(std::move(chart));
  }
  return charts;
}

}  // namespace batchscope::monitor_report
