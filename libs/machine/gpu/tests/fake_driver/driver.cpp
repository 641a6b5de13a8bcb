#include "driver.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace nvml = batchscope::nvml;

namespace fake_driver {
namespace {

constexpr std::size_t kSliceStep = 1000;

bool lists(const Json& gpu, const char* list, const std::string& name) {
  if (!gpu.contains(list)) return false;
  return std::any_of(gpu.at(list).begin(), gpu.at(list).end(),
                     [&](const Json& each) { return each.get<std::string>() == name; });
}

// Until the process ends, or somebody has opened the FIFO for writing.
void hang(const Json& until) {
  if (until.is_string()) {
    const int fifo = open(until.get<std::string>().c_str(), O_RDONLY | O_CLOEXEC);
    if (fifo >= 0) close(fifo);
    return;
  }
  for (;;) pause();
}

}  // namespace

Device Place::handle() const {
  return reinterpret_cast<Device>(slice * kSliceStep + gpu + 1);
}

Place Place::of(Device device) {
  const auto number = reinterpret_cast<std::size_t>(device) - 1;
  return {number % kSliceStep, number / kSliceStep};
}

// Never destroyed: a thread that answers late may still be in here while the process ends.
Driver& the_driver() {
  static auto* const driver = new Driver;
  return *driver;
}

Status Driver::start() {
  const std::lock_guard lock(mutex_);
  refresh();
  if (users_ == 0 || removed_) {
    calls_.clear();
    calls_of_facts_.clear();
    machine_ = described_machine();
  }
  const int status = machine_.value("init_status", 0);
  removed_ = status != nvml::kSuccess;
  if (removed_) return status;
  ++users_;
  return nvml::kSuccess;
}

Status Driver::stop() {
  const std::lock_guard lock(mutex_);
  if (users_ == 0) return nvml::kUninitialized;
  --users_;
  return nvml::kSuccess;
}

void Driver::forget() {
  file_ = {};
  calls_.clear();
  reported_.clear();
  waits_ = 0;
  removed_ = false;
}

void Driver::refresh() {
  // Another test, in a process where a thread of an earlier one still hangs in here.
  const char* path = std::getenv("FAKE_GPUS");
  if (path != nullptr && path != std::exchange(path_, path)) forget();
  auto machine = file_.changed();
  if (!machine) return;
  machine_ = std::move(*machine);
  calls_of_facts_.clear();
}

Status Driver::driver_status() {
  if (users_ == 0) return nvml::kUninitialized;
  refresh();
  const int status = machine_.value("init_status", 0);
  if (status != nvml::kSuccess) removed_ = true;
  if (removed_) return status != nvml::kSuccess ? status : nvml::kUnknown;
  return nvml::kSuccess;
}

const Json& Driver::gpu(std::size_t index) const {
  static const Json none;
  if (!machine_.contains("gpus") || index >= machine_.at("gpus").size()) return none;
  return machine_.at("gpus").at(index);
}

Status Driver::gpu_status(std::size_t index) {
  const Json& facts = gpu(index);
  if (facts.is_null()) return nvml::kGpuIsLost;
  const int64_t call = calls_[index]++;
  if (facts.contains("lost_after_calls") && call >= facts.at("lost_after_calls").get<int64_t>()) {
    return nvml::kGpuIsLost;
  }
  for (const Json& fault : facts.value("faults", Json::array())) {
    if (call >= fault.value("from_call", int64_t{0}) && call < fault.value("to_call", INT64_MAX)) {
      return fault.at("status").get<Status>();
    }
  }
  return nvml::kSuccess;
}

Status Driver::readiness(Device device) {
  const std::lock_guard lock(mutex_);
  const Status status = driver_status();
  return status == nvml::kSuccess ? gpu_status(Place::of(device).gpu) : status;
}

Status Driver::look_up(Device device, const std::string& fact, Json& value) {
  const Place place = Place::of(device);
  std::unique_lock lock(mutex_);
  Status status = driver_status();
  if (status == nvml::kSuccess) status = gpu_status(place.gpu);
  if (status != nvml::kSuccess) return status;
  const Json* facts = &gpu(place.gpu);
  if (lists(*facts, "no_permission", fact)) return nvml::kNoPermission;
  if (place.slice > 0) {
    if (!facts->contains("slices") || place.slice > facts->at("slices").size()) return kNotFound;
    facts = &facts->at("slices").at(place.slice - 1);
  }
  if (!facts->contains(fact)) return nvml::kNotSupported;
  value = facts->at(fact);
  if (value.is_object() && value.contains("series")) {
    const std::size_t call =
        calls_of_facts_[std::to_string(reinterpret_cast<std::size_t>(device)) + fact]++;
    const Json& series = facts->at(fact).at("series");
    value = Json(series.at(std::min(call, series.size() - 1)));
  }
  lock.unlock();
  if (!value.is_object()) return nvml::kSuccess;
  if (value.contains("hang")) {
    hang(value.at("hang"));
    value = Json(value.at("value"));
  }
  return value.is_object() && value.contains("status") ? value.at("status").get<Status>()
                                                       : nvml::kSuccess;
}

Json Driver::machine_fact(const std::string& name) {
  const std::lock_guard lock(mutex_);
  return machine_.value(name, Json());
}

std::size_t Driver::gpu_count() {
  const std::lock_guard lock(mutex_);
  refresh();
  return machine_.contains("gpus") ? machine_.at("gpus").size() : 0;
}

Json Driver::gpu_fact(std::size_t index, const std::string& name) {
  const std::lock_guard lock(mutex_);
  const Json& facts = gpu(index);
  return facts.is_null() ? Json() : facts.value(name, Json());
}

bool Driver::refuses_version(Device device, const std::string& name) {
  const std::lock_guard lock(mutex_);
  return lists(gpu(Place::of(device).gpu), "older_structs", name);
}

bool Driver::next_event(const std::vector<Device>& devices, nvml::Event& event) {
  const std::lock_guard lock(mutex_);
  refresh();
  const int64_t wait = waits_++;
  for (const Device device : devices) {
    const std::size_t index = Place::of(device).gpu;
    const Json& facts = gpu(index);
    if (facts.is_null()) continue;
    for (const Json& each : facts.value("xid_events", Json::array())) {
      if (each.value("at_wait", int64_t{0}) > wait) continue;
      const std::string name = std::to_string(index) + each.dump();
      if (reported_[name]) continue;
      reported_[name] = true;
      constexpr unsigned kNoInstance = 0xffffffff;
      event = {device, nvml::kEventXid, each.at("xid").get<unsigned long long>(), kNoInstance,
               kNoInstance};
      return true;
    }
  }
  return false;
}

}  // namespace fake_driver
