#include "described_machine.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>
#include <string>

#include "gpu/nvml_abi.hpp"

namespace fake_driver {
namespace {

using Json = nlohmann::json;
using Keys = std::set<std::string>;

[[noreturn]] void refuse(const std::string& why) {
  std::fprintf(stderr, "FAKE_GPUS: %s\n", why.c_str());
  std::abort();
}

void check_keys(const Json& object, const Keys& known) {
  if (!object.is_object()) refuse("not an object: " + object.dump());
  for (const auto& item : object.items()) {
    if (!known.contains(item.key())) refuse("nothing is known of '" + item.key() + "'");
  }
}

void check_machine(const Json& machine) {
  check_keys(machine, {"driver_version", "cuda_version", "init_status", "gpus"});
  if (!machine.contains("gpus")) return;
  for (const Json& gpu : machine.at("gpus")) {
    check_keys(
        gpu, {"name", "uuid", "memory", "compute_capability", "sm_clock_mhz", "max_sm_clock_mhz",
              "default_sm_clock_mhz", "temperature_celsius", "power_milliwatts", "throttle_reasons",
              "utilization", "mig", "processes", "no_permission", "lost_after_calls"});
  }
}

}  // namespace

nlohmann::json described_machine() {
  Json machine = Json::object();
  const char* path = std::getenv("FAKE_GPUS");
  if (path == nullptr) {
    machine["init_status"] = batchscope::device::nvml::kDriverNotLoaded;
    return machine;
  }
  std::ifstream file(path);
  machine = Json::parse(file, nullptr, /*allow_exceptions=*/false);
  if (machine.is_discarded()) refuse("no JSON in " + std::string(path));
  check_machine(machine);
  return machine;
}

}  // namespace fake_driver
