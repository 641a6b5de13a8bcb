#include "series/machine_window.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include "batchscope/stats/descriptive.hpp"
#include "batchscope/telemetry/gpu_users.hpp"

namespace batchscope::training {
namespace {

constexpr std::size_t kMostMoments = 1024, kMostASide = 30, kFewestASide = 2;
constexpr std::size_t kMostGpus = 16;
// Far beyond the slices of 16 GPUs; a recording may name what it likes.
constexpr std::size_t kMostTexts = 1024;

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

uint16_t MachineWindow::place_of(const std::string& text) {
  const auto found = std::find(texts_.begin(), texts_.end(), text);
  const auto place = static_cast<uint16_t>(found - texts_.begin());
  if (found != texts_.end()) return place;
  if (texts_.size() >= kMostTexts) return 0;
  texts_.push_back(text);
  return place;
}

void MachineWindow::take_gpu(const telemetry::GpuReading& gpu, std::vector<Signal>& signals) {
  const uint16_t name = place_of(gpu.gpu);
  const auto put = [&](SignalKind kind, const auto& value) {
    if (value) signals.push_back({kind, name, 0, static_cast<double>(*value)});
  };
  put(SignalKind::sm_clock, gpu.sm_clock_hertz);
  put(SignalKind::temperature, gpu.temperature_celsius);
  put(SignalKind::power, gpu.power_watts);
  put(SignalKind::gpu_memory, gpu.memory_used_bytes);
  const bool throttled = !gpu.throttle_reasons.empty();
  signals.push_back({SignalKind::throttled, name,
                     throttled ? place_of(gpu.throttle_reasons.front()) : uint16_t{0},
                     throttled ? 1.0 : 0.0});
}

void MachineWindow::add(const telemetry::Sample& sample) {
  std::vector<Signal> signals;
  for (std::size_t i = 0; i < std::min(kMostGpus, sample.gpus.size()); ++i) {
    const telemetry::GpuReading& gpu = sample.gpus[i];
    // What happens to a GPU of another job makes no step slower.
    if (gpu.up && telemetry::may_be_theirs(gpu, sample)) take_gpu(gpu, signals);
  }
  const auto put = [&](SignalKind kind, const std::optional<double>& value) {
    if (value) signals.push_back({kind, 0, 0, *value});
  };
  const telemetry::HostReading& host = sample.host;
  put(SignalKind::other_cpu, cpu_of_others(sample));
  put(SignalKind::io_pressure, host.pressure_io_some_ratio);
  put(SignalKind::memory_pressure, host.pressure_memory_some_ratio);
  put(SignalKind::cpu_steal, host.cpu_steal_ratio);
  put(SignalKind::cpu_quota, host.cpu_throttled_ratio);
  signals.shrink_to_fit();
  moments_.push_back({sample.time_ns, std::move(signals)});
  if (moments_.size() > kMostMoments) moments_.pop_front();
}

void MachineWindow::Side::take(const Moment& moment) {
  for (const Signal& signal : moment.signals) {
    values[{signal.kind, signal.gpu}].push_back(signal.value);
    if (signal.reason != 0) reasons.emplace(signal.gpu, signal.reason);
  }
}

std::vector<SignalChange> MachineWindow::changes(int64_t first_ns, int64_t last_ns) const {
  Side before, after;
  const auto begin_of_after =
      std::find_if(moments_.begin(), moments_.end(),
                   [&](const Moment& moment) { return moment.time_ns > last_ns; });
  std::size_t taken = 0;
  for (auto at = begin_of_after; at != moments_.end() && taken < kMostASide; ++at, ++taken) {
    after.take(*at);
  }
  taken = 0;
  for (auto at = begin_of_after; at != moments_.begin() && taken < kMostASide;) {
    --at;
    if (at->time_ns >= first_ns) continue;
    ++taken;
    before.take(*at);
  }
  std::vector<SignalChange> found;
  for (const SignalRule& rule : kRules) {
    for (const auto& [key, values] : after.values) {
      const auto old = before.values.find(key);
      if (key.first != rule.kind || old == before.values.end()) continue;
      if (std::min(values.size(), old->second.size()) < kFewestASide) continue;
      if (!is_telling(rule, old->second, values)) continue;
      const auto reason = after.reasons.find(key.second);
      found.push_back({rule.kind, texts_[key.second], stats::median(old->second),
                       stats::median(values),
                       reason == after.reasons.end() ? "" : texts_[reason->second]});
    }
  }
  return found;
}

}  // namespace batchscope::training
