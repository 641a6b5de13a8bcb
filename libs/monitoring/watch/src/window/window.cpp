#include "window.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "batchscope/telemetry/gpu_users.hpp"
#include "batchscope/watch/loop_end.hpp"
#include "readings.hpp"
#include "times.hpp"

namespace batchscope::watch {
namespace {

constexpr std::size_t kMostProcesses = 256;
constexpr std::size_t kMostBatchSizes = 16;
constexpr std::size_t kMostLoops = 64;
constexpr double kHotCore = 0.8;

// The busiest core, how many are at work all the time, and the mean of all.
void take_cores(const std::vector<double>& cores, Cells<HostValue>& values) {
  if (cores.empty()) return;
  Cell all;
  for (const double core : cores) all.add(core);
  values[HostValue::hottest_core].add(all.high);
  values[HostValue::mean_core].add(all.mean());
  values[HostValue::hot_cores].add(static_cast<double>(
      std::count_if(cores.begin(), cores.end(), [](double core) { return core >= kHotCore; })));
}

void note_memory(int64_t batch_size, double share, GpuState& gpu) {
  auto& by_batch = gpu.memory_by_batch;
  if (!by_batch.empty() && batch_size < by_batch.rbegin()->first) {
    constexpr double kSame = 0.02;
    if (share <= by_batch.rbegin()->second + kSame) return;
    by_batch.clear();  // samples became larger
  }
  if (by_batch.size() >= kMostBatchSizes && !by_batch.contains(batch_size)) {
    by_batch.erase(by_batch.begin());
  }
  double& most = by_batch[batch_size];
  most = std::max(most, share);
}

void note_wait(const telemetry::TrainingStep& step, WaitsBySource& waits) {
  if (!step.loading_seconds || step.seconds <= 0) return;
  if (waits.size() >= kMostLoops && !waits.contains(step.source)) return;
  Waits& own = waits[step.source];
  own.reported_seconds += step.seconds;
  own.loading_seconds += std::min(*step.loading_seconds, step.seconds);
}

// What trained on it is gone.
bool is_given_back(const GpuBucket& gpu) {
  const Cell& memory = gpu.values[GpuValue::memory_share];
  return memory.known() && !is_in_use(gpu.processes, memory, gpu.values[GpuValue::busy]);
}

void note_work(const JobBucket& job, GpuState& gpu) {
  constexpr double kHalfBusy = 0.5;
  const Cell &sm = gpu.recent.open.values[GpuValue::sm_active],
             &power = gpu.recent.open.values[GpuValue::power_share],
             &busy = gpu.recent.open.values[GpuValue::busy];
  const Cell& works = sm.known() ? sm : power;
  if (job.steps == 0) {
    if (is_given_back(gpu.recent.open)) gpu.worked = 0;
    gpu.idle_since_step = gpu.idle_since_step || (busy.known() && busy.mean() < kHalfBusy);
    return;
  }
  gpu.idle_since_step = false;
  if (works.known()) gpu.worked = std::max(gpu.worked, works.mean());
}

void note_busy(int64_t began_ns, int64_t ended_ns, GpuState& gpu) {
  const Cell& busy = gpu.recent.open.values[GpuValue::busy];
  if (!gpu.up || !busy.known()) return;
  gpu.busy.add({began_ns, ended_ns, busy.mean(), seconds_between(began_ns, ended_ns)});
  if (busy.mean() > kSomeBusy) {
    gpu.idle_since_ns = 0;
  } else if (gpu.idle_since_ns == 0) {
    gpu.idle_since_ns = began_ns;
  }
}

// A step tells its batch when it is done: memory of the bucket that ends may be that of a step with
// another batch which has begun. The next steps say.
void note_memory(const JobBucket& job, GpuState& gpu) {
  const double share = gpu.recent.open.values[GpuValue::memory_share].high;
  BatchMemory& unreported = gpu.unreported_memory;
  if (job.steps == 0) {
    unreported.most = std::max(unreported.most, share);
    return;
  }
  const bool one_size = job.batch_low > 0 && job.batch_low == job.batch_high;
  if (one_size && unreported.batch_size == job.batch_high && unreported.most > 0) {
    note_memory(unreported.batch_size, unreported.most, gpu);
  }
  unreported = {one_size ? job.batch_high : 0, share};
}

}  // namespace

bool is_in_use(std::size_t processes, const Cell& memory_share, const Cell& busy) {
  constexpr double kOfTheDriver = 0.04, kNothing = 0.02;
  return processes > 0 || memory_share.high > kOfTheDriver || busy.mean() > kNothing;
}

Window::Window(int64_t length_ns) : length_ns_(length_ns), pauses_(length_ns) {}

double Window::seconds() const {
  if (closed_at_ns_.size() < 2) return static_cast<double>(length_ns_) / 1e9;
  return static_cast<double>(closed_at_ns_.back() - closed_at_ns_.front()) / 1e9;
}

bool Window::is_training() const {
  if (job_.last_step_ns == 0) return false;
  const double since = seconds_between(job_.last_step_ns, now_ns_);
  const double usual = static_cast<double>(pauses_.longest_gap_ns()) / 1e9;
  return since <= std::max({seconds(), usual,
                            seconds_before_a_loop_has_ended(job_.longest_gap_seconds,
                                                            job_.last_step_seconds)});
}

bool Window::has_trained() const {
  if (!is_training()) return false;
  const std::size_t count = job_.recent.closed().size();
  for (std::size_t newest = count / 2; newest < count; ++newest) {
    if (!is_paused(newest)) return true;
  }
  return false;
}

bool Window::is_paused(std::size_t newest) const {
  if (newest >= closed_at_ns_.size()) return false;
  const auto closed = closed_at_ns_.rbegin() + static_cast<std::ptrdiff_t>(newest);
  const int64_t began_ns = closed + 1 == closed_at_ns_.rend()
                               ? *closed - length_ns_ / static_cast<int64_t>(kBuckets)
                               : *(closed + 1);
  return pauses_.hold(began_ns, *closed, now_ns_);
}

// What a machine does long after the last step is judged as if nobody had told of any.
std::optional<Window> Window::without_pauses() const {
  if (!is_training()) return std::nullopt;
  std::array<bool, kBuckets> paused{};
  for (std::size_t newest = 0; newest < job_.recent.closed().size(); ++newest) {
    paused.at(newest) = is_paused(newest);
  }
  if (std::ranges::none_of(paused, [](bool each) { return each; })) return std::nullopt;
  Window left = *this;
  const auto is_left_out = [&](std::size_t newest) { return paused.at(newest); };
  for (GpuState& gpu : left.gpus_) gpu.recent.leave_out(is_left_out);
  left.host_.leave_out(is_left_out);
  left.job_.recent.leave_out(is_left_out);
  return left;
}

std::optional<Pauses::Stopped> Window::loop_that_left(const GpuState& gpu) const {
  if (gpu.idle_since_ns == 0) return std::nullopt;
  return pauses_.stopped_at(gpu.idle_since_ns, now_ns_);
}

bool Window::another_worked_on(const GpuState& gpu) const {
  const double lag = static_cast<double>(length_ns_) / 4e9;
  return std::ranges::any_of(gpus_, [&](const GpuState& each) {
    if (!each.up || each.key == gpu.key) return false;
    if (each.idle_since_ns == 0) return each.recent.over(GpuValue::busy).mean() > kSomeBusy;
    return seconds_between(gpu.idle_since_ns, each.idle_since_ns) > lag;
  });
}

bool Window::is_paused_then(int64_t from_ns, int64_t to_ns) const {
  return is_training() && pauses_.hold(from_ns, to_ns, now_ns_);
}

std::vector<BusyHistory::Part> Window::busy_during(std::string_view kind,
                                                   std::span<const Episode> times,
                                                   const GpuState& gpu) const {
  return gpu.busy.during(kind, times, std::bind_front(&Window::is_paused_then, this));
}

std::vector<BusyHistory::Part> Window::busy_since(int64_t from_ns, const GpuState& gpu) const {
  return gpu.busy.since(from_ns, std::bind_front(&Window::is_paused_then, this));
}

void Window::settle_busy(const KindOfGpuAt& kind_at) {
  for (GpuState& gpu : gpus_) {
    gpu.busy.settle([&](int64_t time_ns) { return kind_at(gpu, time_ns); },
                    std::bind_front(&Window::is_paused_then, this));
  }
}

GpuState& Window::state_of(const telemetry::GpuReading& reading) {
  const std::string& key = reading.uuid.empty() ? reading.gpu : reading.uuid;
  // A GPU that is lost may no longer say which it is.
  const auto found = std::find_if(gpus_.begin(), gpus_.end(), [&](const GpuState& gpu) {
    return gpu.key == key || (reading.uuid.empty() && gpu.gpu == reading.gpu);
  });
  if (found != gpus_.end()) return *found;
  gpus_.push_back({});
  gpus_.back().key = key;
  return gpus_.back();
}

bool Window::add_gpu(const telemetry::GpuReading& reading, const telemetry::Sample& sample) {
  GpuState& gpu = state_of(reading);
  gpu.is_theirs = telemetry::may_be_theirs(reading, sample);
  const bool is_new = gpu.seen_ns == 0;
  const bool changed = is_new ? !reading.up : gpu.up != reading.up;
  gpu.gpu = reading.gpu;
  gpu.up = reading.up;
  gpu.seen_ns = now_ns_;
  gpu.why_down = reading.why_down;
  if (!reading.name.empty()) gpu.name = reading.name;
  if (reading.up) return take(reading, now_ns_, gpu) || changed;
  gpu.recent.clear();
  return note_xids(reading, now_ns_, gpu) || changed;
}

void Window::add_host(const telemetry::HostReading& host) {
  Cells<HostValue>& values = host_.open.values;
  if (host.cpus) cpus_ = static_cast<double>(*host.cpus);
  values[HostValue::cpu_busy].add(host.cpu_busy_ratio);
  values[HostValue::iowait].add(host.cpu_iowait_ratio);
  values[HostValue::steal].add(host.cpu_steal_ratio);
  values[HostValue::quota_throttled].add(host.cpu_throttled_ratio);
  values[HostValue::cpu_pressure].add(host.pressure_cpu_some_ratio);
  values[HostValue::memory_pressure].add(host.pressure_memory_some_ratio);
  values[HostValue::memory_full_pressure].add(host.pressure_memory_full_ratio);
  values[HostValue::io_pressure].add(host.pressure_io_some_ratio);
  values[HostValue::disk_reads].add(host.disk_read_bytes_per_second);
  values[HostValue::disk_writes].add(host.disk_write_bytes_per_second);
  values[HostValue::memory_share].add(share_of(host.memory_used_bytes, host.memory_total_bytes));
  take_cores(host.cpu_busy_ratio_by_core, values);
  if (host.swap_used_bytes) {
    values[HostValue::swap_bytes].add(static_cast<double>(*host.swap_used_bytes));
  }
  if (!host.memory_used_bytes) return;
  values[HostValue::memory_bytes].add(static_cast<double>(*host.memory_used_bytes));
  host_memory_.add(now_ns_, static_cast<double>(*host.memory_used_bytes));
}

void Window::add_processes(const telemetry::Sample& sample) {
  take_processes(sample, job_.recent.open.values);
  for (const telemetry::ProcessReading& reading : sample.processes) {
    auto at = std::find_if(processes_.begin(), processes_.end(),
                           [&](const ProcessState& each) { return each.pid == reading.pid; });
    if (at == processes_.end()) {
      if (processes_.size() >= kMostProcesses) continue;
      at = processes_.insert(at, ProcessState{reading.pid, reading.name, {}, 0});
    }
    at->seen_ns = now_ns_;
    if (reading.resident_bytes) {
      at->memory.add(now_ns_, static_cast<double>(*reading.resident_bytes));
    }
  }
  std::erase_if(processes_,
                [&](const ProcessState& each) { return now_ns_ - each.seen_ns > length_ns_; });
}

void Window::close_buckets() {
  const JobBucket& job = job_.recent.open;
  if (job.batch_high > 0) job_.batch_size = job.batch_high;
  for (GpuState& gpu : gpus_) {
    note_memory(job, gpu);
    note_work(job, gpu);
    const Cell& rate = gpu.recent.open.values[GpuValue::link_rate];
    if (rate.known()) gpu.best_link_rate = std::max(gpu.best_link_rate, rate.mean());
    note_busy(bucket_began_ns_, now_ns_, gpu);
    if (gpu.up) gpu.recent.close();
  }
  host_.close();
  job_.recent.close();
  closed_at_ns_.push_back(now_ns_);
  if (closed_at_ns_.size() > kBuckets + 1) closed_at_ns_.erase(closed_at_ns_.begin());
  bucket_began_ns_ = now_ns_;
}

bool Window::add(const telemetry::Sample& sample) {
  if (sample.time_ns <= now_ns_ && now_ns_ != 0) return false;
  // After so long without samples the buckets speak of another time.
  const bool gap = now_ns_ != 0 && sample.time_ns - now_ns_ > 10 * length_ns_;
  if (now_ns_ == 0 || gap) bucket_began_ns_ = sample.time_ns;
  now_ns_ = sample.time_ns;
  if (gap) {
    for (GpuState& gpu : gpus_) gpu.recent.clear();
    host_.clear();
    job_.recent.clear();
    closed_at_ns_.clear();
  }
  bool happened = false;
  for (const telemetry::GpuReading& gpu : sample.gpus) happened = add_gpu(gpu, sample) || happened;
  // Slices of a GPU that is divided anew have new names.
  std::erase_if(gpus_, [&](const GpuState& gpu) { return now_ns_ - gpu.seen_ns > 2 * length_ns_; });
  add_host(sample.host);
  add_processes(sample);
  if (now_ns_ - bucket_began_ns_ < length_ns_ / static_cast<int64_t>(kBuckets)) return happened;
  close_buckets();
  return true;
}

// A larger batch needs more memory, which is no leak.
void Window::note_batch(int64_t batch) {
  if (batch > job_.largest_batch && job_.largest_batch > 0) {
    for (GpuState& gpu : gpus_) gpu.memory = MemoryHistory{};
  }
  job_.largest_batch = std::max(job_.largest_batch, batch);
}

bool Window::is_main_source(const telemetry::TrainingStep& step) {
  auto& by_source = job_.seconds_by_source;
  if (by_source.size() >= kMostLoops && !by_source.contains(step.source)) return false;
  const double own = by_source[step.source] += step.seconds;
  return std::ranges::none_of(by_source, [&](const auto& each) { return each.second > own; });
}

void Window::add(const telemetry::TrainingStep& step) {
  JobBucket& bucket = job_.recent.open;
  ++bucket.steps;
  note_wait(step, bucket.waits);
  const bool is_main = is_main_source(step);
  if (const int64_t batch = step.batch_size.value_or(0); batch > 0 && is_main) {
    bucket.batch_low = bucket.batch_low > 0 ? std::min(bucket.batch_low, batch) : batch;
    bucket.batch_high = std::max(bucket.batch_high, batch);
    note_batch(batch);
  }
  // Of other clocks: none lies far ahead.
  const bool is_ahead =
      now_ns_ > 0 && step.time_ns > now_ns_ && step.time_ns - now_ns_ > length_ns_;
  const int64_t time_ns = is_ahead ? now_ns_ : step.time_ns;
  pauses_.add_step(step.source, step.step, time_ns, step.seconds);
  if (job_.last_step_ns > 0) {
    job_.longest_gap_seconds =
        std::max(job_.longest_gap_seconds, seconds_between(job_.last_step_ns, time_ns));
  }
  job_.last_step_ns = std::max(job_.last_step_ns, time_ns);
  job_.last_step_seconds = step.seconds;
}

}  // namespace batchscope::watch
