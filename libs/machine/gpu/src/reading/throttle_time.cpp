#include "throttle_time.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "plausible.hpp"

namespace batchscope::gpu {
namespace {

struct ThrottleRow {
  std::string_view name;
  unsigned long long bits;
  std::optional<unsigned> policy;  // under which the driver counts its time
  bool slows = true;               // work, against the user's will
};

constexpr std::array kThrottleRows{
    ThrottleRow{"power_cap", nvml::kReasonPowerCap, nvml::kPolicyPower},
    ThrottleRow{"thermal", nvml::kReasonSoftwareThermal | nvml::kReasonHardwareThermal,
                nvml::kPolicyThermal},
    ThrottleRow{"hardware_slowdown", nvml::kReasonHardwareSlowdown, std::nullopt},
    ThrottleRow{"power_brake", nvml::kReasonPowerBrake, std::nullopt},
    ThrottleRow{"sync_boost", nvml::kReasonSyncBoost, nvml::kPolicySyncBoost, false},
    ThrottleRow{"board_limit", 0, nvml::kPolicyBoardLimit},
    ThrottleRow{"reliability", 0, nvml::kPolicyReliability}};

}  // namespace

std::vector<std::string> slowdowns(unsigned long long bits) {
  std::vector<std::string> words;
  for (const ThrottleRow& row : kThrottleRows) {
    if (!row.slows || (bits & row.bits) == 0) continue;
    words.emplace_back(row.name);
    std::replace(words.back().begin(), words.back().end(), '_', ' ');
  }
  return words;
}

void ThrottleTime::read_reasons(const nvml::Library& library, nvml::Device device,
                                telemetry::GpuReading& reading, Progress& progress) {
  bits_.reset();
  if (reasons_refused_ || progress.stopped()) return;
  unsigned long long bits = 0;
  const nvml::Status status = nvml::call(library.throttle_reasons, device, &bits);
  reasons_refused_ = progress.note(status) == nvml::Outcome::refused;
  if (status != nvml::kSuccess || !plausible_count(bits)) return;
  bits_ = bits;
  for (const ThrottleRow& row : kThrottleRows) {
    if ((bits & row.bits) != 0) reading.throttle_reasons.emplace_back(row.name);
  }
}

// A counter that falls has begun anew, from 0.
void ThrottleTime::count(std::string_view name, unsigned long long counter_ns) {
  const auto [before, first] = counters_.try_emplace(name, counter_ns);
  const unsigned long long from = before->second <= counter_ns ? before->second : 0;
  totals_[std::string(name)] += static_cast<int64_t>(counter_ns - from);
  before->second = counter_ns;
}

bool ThrottleTime::counted_by_driver(const nvml::Library& library, nvml::Device device,
                                     std::string_view name, unsigned policy, Progress& progress) {
  if (uncounted_.contains(name) || progress.stopped()) return false;
  nvml::Violation violation{};
  const nvml::Status status = nvml::call(library.violation, device, policy, &violation);
  if (progress.note(status) == nvml::Outcome::refused) {
    uncounted_.insert(name);
    return false;
  }
  if (status == nvml::kSuccess && plausible_count(violation.violation_time)) {
    count(name, violation.violation_time);
  }
  return true;
}

void ThrottleTime::read(const nvml::Library& library, nvml::Device device, int64_t now_ns,
                        telemetry::GpuReading& reading, Progress& progress) {
  read_reasons(library, device, reading, progress);
  for (const ThrottleRow& row : kThrottleRows) {
    if (row.policy && counted_by_driver(library, device, row.name, *row.policy, progress)) continue;
    if (row.bits == 0 || !bits_) continue;
    const bool is_active = (*bits_ & row.bits) != 0 && read_ns_;
    totals_[std::string(row.name)] += is_active ? now_ns - *read_ns_ : 0;
  }
  if (bits_) read_ns_ = now_ns;
  reading.throttle_ns_total = totals_;
}

}  // namespace batchscope::gpu
