#include "batchscope/monitor/totals.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/telemetry/metrics.hpp"

namespace batchscope::monitor {
namespace {

// What matters of a machine over a long time.
constexpr std::array<std::string_view, 8> kGpuNames = {
    "busy_ratio",        "sm_active_ratio", "tensor_active_ratio", "dram_active_ratio",
    "memory_used_bytes", "power_watts",     "temperature_celsius", "sm_clock_hertz"};
constexpr std::array<std::string_view, 9> kHostNames = {
    "cpu_busy_ratio",         "cpu_iowait_ratio",        "cpu_steal_ratio",
    "memory_used_bytes",      "pressure_cpu_some_ratio", "pressure_memory_some_ratio",
    "pressure_io_some_ratio", "disk_busy_ratio",         "cpu_throttled_ratio"};
// Where energy is had from power, a longer pause is no interval.
constexpr double kLongestPause = 60;
constexpr std::size_t kMostLoops = 64;

double seconds_from(int64_t from_ns, int64_t to_ns) {
  return std::max(0.0, (static_cast<double>(to_ns) - static_cast<double>(from_ns)) / 1e9);
}

template <class Of, class Names>
void add_metrics(const Of& reading, std::span<const telemetry::MetricDescriptor<Of>> metrics,
                 const Names& names, std::vector<MetricTotal>& totals) {
  for (const telemetry::MetricDescriptor<Of>& metric : metrics) {
    if (!base::contains(names, metric.name)) continue;
    const std::optional<double> value = metric.get(reading);
    if (!value) continue;
    const auto known = std::find_if(totals.begin(), totals.end(), [&](const MetricTotal& total) {
      return total.name == metric.name;
    });
    if (known != totals.end()) {
      known->values.add(*value);
    } else {
      totals.push_back({std::string(metric.name), {}});
      totals.back().values.add(*value);
    }
  }
}

template <class Of>
void sort_as(std::span<const telemetry::MetricDescriptor<Of>> metrics,
             std::vector<MetricTotal>& totals) {
  const auto place = [&](const MetricTotal& total) {
    return std::find_if(metrics.begin(), metrics.end(),
                        [&](const auto& metric) { return metric.name == total.name; });
  };
  std::stable_sort(totals.begin(), totals.end(),
                   [&](const MetricTotal& a, const MetricTotal& b) { return place(a) < place(b); });
}

}  // namespace

void Totals::add(const telemetry::Sample& sample) {
  if (samples_ > 0 && sample.time_ns <= ended_ns_) return;  // the same once more
  const double seconds = samples_ == 0 ? 0 : seconds_from(ended_ns_, sample.time_ns);
  if (samples_ == 0) began_ns_ = sample.time_ns;
  ended_ns_ = sample.time_ns;
  ++samples_;
  gpu_absent_ = sample.gpu_absent;
  for (const telemetry::GpuReading& reading : sample.gpus) add(reading, seconds);
  add_metrics(sample.host, telemetry::host_metrics(), kHostNames, host_);
}

// The driver numbers GPUs anew where one of them is gone, so that a number is no name: it tells one
// only where the GPU itself is not said, as of one that does not answer.
Totals::Gpu& Totals::gpu_of(const telemetry::GpuReading& reading) {
  const auto is_it = [&](const Gpu& gpu) {
    if (!reading.uuid.empty() && !gpu.total.uuid.empty()) return gpu.total.uuid == reading.uuid;
    return gpu.number == reading.gpu;
  };
  auto known = std::find_if(gpus_.begin(), gpus_.end(), is_it);
  if (known == gpus_.end()) {
    known = gpus_.emplace(gpus_.end());
    known->total.gpu = reading.gpu;
    known->throttle_before = reading.throttle_ns_total;
  }
  for (Gpu& gpu : gpus_) {
    if (gpu.number == reading.gpu) gpu.number.clear();
  }
  known->number = known->total.last_gpu = reading.gpu;
  return *known;
}

void Totals::add(const telemetry::GpuReading& reading, double seconds) {
  Gpu& known = gpu_of(reading);
  GpuTotal& total = known.total;
  if (!reading.uuid.empty()) total.uuid = reading.uuid;
  if (!reading.name.empty()) total.name = reading.name;
  (reading.up ? total.up_seconds : total.down_seconds) += seconds;
  if (!reading.up) {
    total.why_down = reading.why_down;
    return;
  }
  add_metrics(reading, telemetry::gpu_metrics(), kGpuNames, total.metrics);
  if (const auto energy = reading.energy_joules_total) {
    const double before = known.energy_before.value_or(*energy);
    known.energy_by_counter += std::max(0.0, *energy - before);  // begins anew with the driver
    known.energy_before = *energy;
    known.has_counter = true;
  }
  if (reading.power_watts && seconds > 0 && seconds <= kLongestPause) {
    known.energy_by_power += *reading.power_watts * seconds;
    known.has_power = true;
  }
  for (const auto& [reason, ns] : reading.throttle_ns_total) {
    int64_t& before = known.throttle_before[reason];
    total.throttled_seconds[reason] += seconds_from(before, ns);
    before = ns;
  }
}

void Totals::add(const telemetry::TrainingStep& step) {
  if (!training_.contains(step.source) && training_.size() >= kMostLoops) return;
  TrainingTotal& total = training_[step.source];
  total.source = step.source;
  if (total.steps == 0) total.first_step = step.step;
  total.last_step = step.step;
  ++total.steps;
  if (step.seconds > 0) {  // else its time is not known
    const int64_t others = step.replaces - 1;
    total.seconds.add(step.seconds);
    total.seconds.add(step.others_seconds / static_cast<double>(std::max<int64_t>(1, others)),
                      others);
  }
  if (step.loss || !step.loss_word.empty()) {
    total.loss = step.loss;
    total.loss_word = step.loss_word;
  }
  if (!step.batch_size) return;
  total.samples += *step.batch_size;
  total.sample_seconds += step.seconds;
}

MonitorSummary Totals::summary(const std::string& host,
                               std::vector<watch::ActiveFinding> findings) const {
  MonitorSummary summary{
      host,  began_ns_, ended_ns_,           samples_, {},
      host_, {},        std::move(findings), 0,        gpus_.empty() ? gpu_absent_ : "",
      false};
  sort_as(telemetry::host_metrics(), summary.host_metrics);
  for (const Gpu& gpu : gpus_) {
    GpuTotal total = gpu.total;
    sort_as(telemetry::gpu_metrics(), total.metrics);
    std::erase_if(total.throttled_seconds, [](const auto& reason) { return reason.second <= 0; });
    if (gpu.has_counter) {
      total.energy_joules = gpu.energy_by_counter;
    } else if (gpu.has_power) {
      total.energy_joules = gpu.energy_by_power;
    }
    summary.gpus.push_back(std::move(total));
  }
  for (const auto& [source, total] : training_) summary.training.push_back(total);
  return summary;
}

}  // namespace batchscope::monitor
