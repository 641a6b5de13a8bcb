#include "batchscope/host/host_sampler.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "batchscope/base/parse_number.hpp"
#include "batchscope/host/cgroup.hpp"
#include "batchscope/host/machine.hpp"
#include "readings/cpu_meter.hpp"
#include "readings/pressure_meter.hpp"
#include "readings/traffic_meters.hpp"

namespace batchscope::host {
namespace {

std::optional<double> load_average(const base::SystemRoot& root) {
  const std::string text = root.read_trimmed("/proc/loadavg");
  return base::parse_number<double>(std::string_view(text).substr(0, text.find(' ')));
}

// A limit above what the machine has limits nothing.
void put_memory(const base::SystemRoot& root, const Cgroups& cgroups, LimitingGroups& groups,
                telemetry::HostReading& reading) {
  const MemoryInfo info = read_memory_info(root);
  reading.swap_used_bytes = info.swap_used_bytes;
  const auto limit = read_memory_limit(root, cgroups);
  if (limit && (!info.total_bytes || limit->bytes < *info.total_bytes)) {
    const CgroupVersion version = cgroups.memory.version;
    reading.memory_total_bytes = limit->bytes;
    reading.memory_used_bytes = read_memory_use(root, version, limit->group);
    if (version == CgroupVersion::v2) groups.memory = limit->group;
    return;
  }
  reading.memory_total_bytes = info.total_bytes;
  if (info.total_bytes && info.available_bytes) {
    reading.memory_used_bytes = std::max<int64_t>(0, *info.total_bytes - *info.available_bytes);
  }
}

}  // namespace

struct HostSampler::Meters {
  explicit Meters(const base::SystemRoot& root) : cgroups(find_cgroups(root)), cpu(root, cgroups) {}

  Cgroups cgroups;
  CpuMeter cpu;
  PressureMeter pressure;
  DiskMeter disks;
  NetworkMeter network;
};

HostSampler::HostSampler(base::SystemRoot root)
    : root_(std::move(root)), meters_(std::make_unique<Meters>(root_)) {}
HostSampler::~HostSampler() = default;
HostSampler::HostSampler(HostSampler&&) noexcept = default;
HostSampler& HostSampler::operator=(HostSampler&&) noexcept = default;

telemetry::HostReading HostSampler::take(int64_t now_ns) {
  const double seconds = before_ns_ ? static_cast<double>(now_ns - *before_ns_) * 1e-9 : 0.0;
  before_ns_ = now_ns;
  telemetry::HostReading reading;
  LimitingGroups groups;
  if (const auto quota = read_cpu_quota(root_, meters_->cgroups)) {
    reading.cpu_limit = quota->cpus;
    if (meters_->cgroups.cpu.version == CgroupVersion::v2) groups.cpu = quota->group;
  }
  put_memory(root_, meters_->cgroups, groups, reading);
  reading.load_average = load_average(root_);
  meters_->cpu.take(root_, reading);
  meters_->pressure.take(root_, groups, seconds, reading);
  meters_->disks.take(root_, seconds, reading);
  meters_->network.take(root_, seconds, reading);
  return reading;
}

}  // namespace batchscope::host
