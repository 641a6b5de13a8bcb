#include "series/machine_window.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "batchscope/stats/descriptive.hpp"
#include "batchscope/telemetry/gpu_users.hpp"

namespace batchscope::training {
namespace {

constexpr std::size_t kMostMoments = 1024, kMostASide = 30, kFewestASide = 2;
constexpr std::size_t kMostGpus = 16;

// By how much a signal has to move before it explains anything, and which way; as a share of what
// it was before, or by itself.
struct SignalRule {
  SignalKind kind;
  bool falls;
  bool relative;
  double least;
};

// The most telling first.
constexpr std::array kRules = {
    SignalRule{SignalKind::sm_clock, true, true, 0.04},
    SignalRule{SignalKind::throttled, false, false, 0.5},
    SignalRule{SignalKind::other_cpu, false, false, 0.15},
    SignalRule{SignalKind::cpu_quota, false, false, 0.10},
    SignalRule{SignalKind::cpu_steal, false, false, 0.05},
    SignalRule{SignalKind::io_pressure, false, false, 0.10},
    SignalRule{SignalKind::memory_pressure, false, false, 0.10},
    SignalRule{SignalKind::temperature, false, false, 8},
    SignalRule{SignalKind::power, true, true, 0.15},
    SignalRule{SignalKind::gpu_memory, false, true, 0.10},
};

template <class Map, class Value>
void put(SignalKind kind, const std::string& gpu, const std::optional<Value>& value, Map& to) {
  if (value) to.emplace(std::pair(kind, gpu), static_cast<double>(*value));
}

std::optional<double> cpu_of_others(const telemetry::Sample& sample) {
  if (!sample.host.cpu_busy_ratio || !sample.host.cpus || sample.processes.empty()) {
    return std::nullopt;
  }
  double own = 0;
  for (const auto& process : sample.processes) own += process.cpu_cores.value_or(0);
  return std::max(0.0, *sample.host.cpu_busy_ratio - own / static_cast<double>(*sample.host.cpus));
}

bool is_telling(const SignalRule& rule, std::span<const double> before,
                std::span<const double> after) {
  const double was = stats::median(before), is = stats::median(after);
  const double moved = rule.falls ? was - is : is - was;
  if (moved < rule.least * (rule.relative ? std::abs(was) : 1)) return false;
  return moved > 2 * std::max(stats::robust_std(before), stats::robust_std(after));
}

}  // namespace

void MachineWindow::add(const telemetry::Sample& sample) {
  Moment moment{sample.time_ns, {}, {}};
  auto& signals = moment.signals;
  for (std::size_t i = 0; i < std::min(kMostGpus, sample.gpus.size()); ++i) {
    const telemetry::GpuReading& gpu = sample.gpus[i];
    // What happens to a GPU of another job makes no step slower.
    if (!gpu.up || !telemetry::may_be_theirs(gpu, sample)) continue;
    put(SignalKind::sm_clock, gpu.gpu, gpu.sm_clock_hertz, signals);
    put(SignalKind::temperature, gpu.gpu, gpu.temperature_celsius, signals);
    put(SignalKind::power, gpu.gpu, gpu.power_watts, signals);
    put(SignalKind::gpu_memory, gpu.gpu, gpu.memory_used_bytes, signals);
    const bool throttled = !gpu.throttle_reasons.empty();
    put(SignalKind::throttled, gpu.gpu, std::optional(throttled), signals);
    if (throttled) moment.reasons[gpu.gpu] = gpu.throttle_reasons.front();
  }
  const telemetry::HostReading& host = sample.host;
  put(SignalKind::other_cpu, "", cpu_of_others(sample), signals);
  put(SignalKind::io_pressure, "", host.pressure_io_some_ratio, signals);
  put(SignalKind::memory_pressure, "", host.pressure_memory_some_ratio, signals);
  put(SignalKind::cpu_steal, "", host.cpu_steal_ratio, signals);
  put(SignalKind::cpu_quota, "", host.cpu_throttled_ratio, signals);
  moments_.push_back(std::move(moment));
  if (moments_.size() > kMostMoments) moments_.pop_front();
}

std::vector<SignalChange> MachineWindow::changes(int64_t first_ns, int64_t last_ns) const {
  std::map<Key, std::vector<double>> before, after;
  std::map<std::string, std::string> reasons;
  const auto begin_of_after =
      std::find_if(moments_.begin(), moments_.end(),
                   [&](const Moment& moment) { return moment.time_ns > last_ns; });
  std::size_t taken = 0;
  for (auto at = begin_of_after; at != moments_.end() && taken < kMostASide; ++at, ++taken) {
    for (const auto& [key, value] : at->signals) after[key].push_back(value);
    reasons.insert(at->reasons.begin(), at->reasons.end());
  }
  taken = 0;
  for (auto at = begin_of_after; at != moments_.begin() && taken < kMostASide;) {
    --at;
    if (at->time_ns >= first_ns) continue;
    ++taken;
    for (const auto& [key, value] : at->signals) before[key].push_back(value);
  }
  std::vector<SignalChange> found;
  for (const SignalRule& rule : kRules) {
    for (const auto& [key, values] : after) {
      const auto old = before.find(key);
      if (key.first != rule.kind || old == before.end()) continue;
      if (std::min(values.size(), old->second.size()) < kFewestASide) continue;
      if (!is_telling(rule, old->second, values)) continue;
      found.push_back({rule.kind, key.second, stats::median(old->second), stats::median(values),
                       reasons[key.second]});
    }
  }
  return found;
}

}  // namespace batchscope::training
