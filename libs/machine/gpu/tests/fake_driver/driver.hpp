#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "described_machine.hpp"
#include "driver/abi.hpp"

namespace fake_driver {

using Json = nlohmann::json;
using batchscope::nvml::Device;
using batchscope::nvml::Status;

inline constexpr Status kNotFound = 6;

// A GPU, or one of its slices. As a handle: a number, so that none is ever dangling.
struct Place {
  std::size_t gpu = 0;
  std::size_t slice = 0;  // counted from 1; 0: the GPU itself

  Device handle() const;
  static Place of(Device device);
};

// The state of the driver. All calls come from any thread.
class Driver {
 public:
  Status start();
  Status stop();
  // Every call that asks a thing of a GPU goes through here: counts it, and finds what the
  // description has for it. May hang.
  Status look_up(Device device, const std::string& fact, Json& value);
  // Success, or what is the matter with the driver, or with the GPU.
  Status readiness(Device device);
  Json machine_fact(const std::string& name);
  std::size_t gpu_count();
  // Of a GPU as it is described now; null where there is none.
  Json gpu_fact(std::size_t gpu, const std::string& name);
  bool refuses_version(Device device, const std::string& name);
  // The next event of these GPUs that is due, and counts a wait.
  bool next_event(const std::vector<Device>& devices, batchscope::nvml::Event& event);

 private:
  void forget();
  void refresh();
  Status driver_status();
  Status gpu_status(std::size_t gpu);
  const Json& gpu(std::size_t index) const;

  std::mutex mutex_;
  std::string path_;  // of the description
  MachineFile file_;
  Json machine_ = Json::object();
  int users_ = 0;         // NVML counts how often it was started, and ends with the last
  bool removed_ = false;  // while it ran: whoever started NVML before gets nothing any more
  std::map<std::size_t, int64_t> calls_;               // of a GPU
  std::map<std::string, std::size_t> calls_of_facts_;  // since the file was read
  int64_t waits_ = 0;
  std::map<std::string, bool> reported_;  // events
};

Driver& the_driver();

// Gives the fact to `take`, which returns the status of the call.
template <class Take>
Status ask(Device device, const std::string& fact, Take take) {
  Json value;
  const Status status = the_driver().look_up(device, fact, value);
  return status == batchscope::nvml::kSuccess ? take(value) : status;
}

template <class Number>
Status number(Device device, const std::string& fact, Number* target) {
  return ask(device, fact, [&](const Json& value) {
    *target = value.get<Number>();
    return batchscope::nvml::kSuccess;
  });
}

// One number out of an object.
template <class Number>
Status member(Device device, const std::string& fact, const std::string& name, Number* target) {
  return ask(device, fact, [&](const Json& value) {
    if (!value.contains(name)) return batchscope::nvml::kNotSupported;
    *target = value.at(name).template get<Number>();
    return batchscope::nvml::kSuccess;
  });
}

}  // namespace fake_driver
