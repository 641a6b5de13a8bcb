#include "known_gpus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "reading/down.hpp"

namespace batchscope::gpu {
namespace {

using telemetry::CountByName;
using telemetry::GpuReading;

double in_seconds(int64_t ns) {
  constexpr double kNsPerSecond = 1e9;
  return static_cast<double>(ns) / kNsPerSecond;
}

const GpuReading* find_reading(const std::vector<GpuReading>& readings, const std::string& gpu) {
  const auto found = std::find_if(readings.begin(), readings.end(),
                                  [&](const GpuReading& reading) { return reading.gpu == gpu; });
  return found == readings.end() ? nullptr : &*found;
}

}  // namespace

KnownGpus::KnownGpus(std::shared_ptr<base::WaitableClock> clock, std::chrono::nanoseconds deadline)
    : clock_(std::move(clock)), deadline_ns_(deadline.count()) {}

bool KnownGpus::hangs(const Slot& slot, int64_t now) const {
  return slot.asked_ns && now - *slot.asked_ns >= deadline_ns_;
}

std::string KnownGpus::key_of(unsigned gpu) const {
  const std::string& uuid = slots_[gpu].readings.front().uuid;
  return uuid.empty() ? std::to_string(gpu) : uuid;
}

std::vector<GpuReading> KnownGpus::latest_of(const Slot& slot, int64_t now) const {
  if (!hangs(slot, now)) return slot.readings;
  const std::string why = fmt::format("no answer for {:.1f} s", in_seconds(now - *slot.asked_ns));
  std::vector<GpuReading> readings;
  for (const GpuReading& each : slot.readings) readings.push_back(down(each, why));
  return readings;
}

std::vector<GpuReading> KnownGpus::latest() const {
  const int64_t now = now_ns();
  const std::lock_guard lock(mutex_);
  std::vector<GpuReading> all;
  for (const Slot& slot : slots_) {
    std::vector<GpuReading> readings = latest_of(slot, now);
    GpuReading& full = readings.front();
    for (const std::string& key : {full.gpu, full.uuid}) {
      const auto xids = xids_.find(key);
      if (xids == xids_.end()) continue;
      for (const auto& [number, count] : xids->second) full.xid_errors_total[number] += count;
    }
    std::move(readings.begin(), readings.end(), std::back_inserter(all));
  }
  return all;
}

std::string KnownGpus::absent() const {
  const int64_t now = now_ns();
  const std::lock_guard lock(mutex_);
  if (!slots_.empty()) return {};
  if (looking_ns_ && now - *looking_ns_ >= deadline_ns_) {
    return fmt::format(
        "NVIDIA's driver has not answered for {:.1f} s; check nvidia-smi and the kernel's log "
        "(dmesg)",
        in_seconds(now - *looking_ns_));
  }
  return has_looked_ ? absent_ : "NVIDIA's driver has not answered yet";
}

void KnownGpus::wait_for_first(int64_t until_ns) {
  std::unique_lock lock(mutex_);
  const auto done = [&] {
    return has_looked_ && std::all_of(slots_.begin(), slots_.end(),
                                      [](const Slot& slot) { return slot.has_answered; });
  };
  while (!done() && now_ns() < until_ns) clock_->wait(changed_, lock, until_ns);
}

void KnownGpus::stop() {
  const std::lock_guard lock(mutex_);
  stopping_ = true;
  changed_.notify_all();
}

void KnownGpus::wait_for_end(std::chrono::nanoseconds limit) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, limit, [&] { return threads_ == 0; });
}

void KnownGpus::thread_began() {
  const std::lock_guard lock(mutex_);
  ++threads_;
}

void KnownGpus::thread_ended() {
  const std::lock_guard lock(mutex_);
  --threads_;
  changed_.notify_all();
}

bool KnownGpus::pause(std::chrono::nanoseconds time) {
  std::unique_lock lock(mutex_);
  const int64_t until = now_ns() + time.count();
  while (!stopping_ && now_ns() < until) clock_->wait(changed_, lock, until);
  return !stopping_;
}

bool KnownGpus::pause_until(int64_t until_ns, int64_t session) {
  std::unique_lock lock(mutex_);
  while (!is_over(session) && now_ns() < until_ns) clock_->wait(changed_, lock, until_ns);
  return !is_over(session);
}

void KnownGpus::begin_looking() {
  const std::lock_guard lock(mutex_);
  looking_ns_ = now_ns();
}

void KnownGpus::take_down(Slot& slot, const std::string& why) {
  slot.asked_ns.reset();
  for (GpuReading& each : slot.readings) each = down(each, why);
}

void KnownGpus::nothing_found(const std::string& why) {
  const std::lock_guard lock(mutex_);
  looking_ns_.reset();
  has_looked_ = true;
  absent_ = why;
  for (Slot& slot : slots_) take_down(slot, why);
  changed_.notify_all();
}

int64_t KnownGpus::open_session(unsigned gpus) {
  const std::lock_guard lock(mutex_);
  looking_ns_.reset();
  has_looked_ = true;
  lost_.reset();
  const std::vector<Slot> before = std::exchange(slots_, std::vector<Slot>(gpus));
  for (std::size_t gpu = 0; gpu < gpus; ++gpu) {
    GpuReading known;
    known.gpu = std::to_string(gpu);
    if (gpu < before.size()) known = before[gpu].readings.front();
    const bool was_down = !known.up && !known.why_down.empty();
    slots_[gpu].readings.push_back(down(known, was_down ? known.why_down : "has not answered yet"));
  }
  changed_.notify_all();
  return ++session_;
}

bool KnownGpus::all_down() const {
  const int64_t now = now_ns();
  return std::all_of(slots_.begin(), slots_.end(), [&](const Slot& slot) {
    return slot.has_answered && !hangs(slot, now) && !slot.readings.front().up;
  });
}

bool KnownGpus::wait_for_loss(std::chrono::nanoseconds limit, std::chrono::nanoseconds interval) {
  std::unique_lock lock(mutex_);
  std::optional<int64_t> down_since;
  while (!stopping_ && !lost_) {
    const int64_t now = now_ns();
    if (!all_down()) down_since.reset();
    if (all_down() && !down_since) down_since = now;
    if (down_since && now - *down_since >= limit.count()) return true;
    clock_->wait(changed_, lock, now + interval.count());
  }
  return false;
}

void KnownGpus::close_session() {
  const std::lock_guard lock(mutex_);
  ++session_;
  if (lost_) {
    for (Slot& slot : slots_) take_down(slot, *lost_);
  }
  changed_.notify_all();
}

bool KnownGpus::begin_reading(int64_t session, unsigned gpu) {
  const std::lock_guard lock(mutex_);
  if (is_over(session)) return false;
  slots_[gpu].asked_ns = now_ns();
  return true;
}

void KnownGpus::end_reading(int64_t session, unsigned gpu, GpuAnswer answer) {
  const std::lock_guard lock(mutex_);
  if (is_over(session)) return;
  Slot& slot = slots_[gpu];
  slot.asked_ns.reset();
  slot.has_answered = true;
  if (answer.driver_absent) lost_ = answer.why_down;
  if (answer.readings.empty()) {
    take_down(slot, answer.why_down);
  } else {
    for (GpuReading& each : answer.readings) {
      const GpuReading* before = find_reading(slot.readings, each.gpu);
      if (!each.up) each.read_ns = before == nullptr ? 0 : before->read_ns;
    }
    slot.readings = std::move(answer.readings);
    throttle_totals_[key_of(gpu)] = slot.readings.front().throttle_ns_total;
  }
  changed_.notify_all();
}

CountByName KnownGpus::throttle_totals(const std::string& uuid) const {
  const std::lock_guard lock(mutex_);
  const auto found = throttle_totals_.find(uuid);
  return found == throttle_totals_.end() ? CountByName{} : found->second;
}

void KnownGpus::count_xid(int64_t session, unsigned gpu, unsigned long long number) {
  const std::lock_guard lock(mutex_);
  if (is_over(session)) return;
  ++xids_[key_of(gpu)][std::to_string(number)];
}

}  // namespace batchscope::gpu
