#include "described_machine.hpp"

#include <sys/stat.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>
#include <string>

#include "driver/abi.hpp"

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

void check_gpu(const Json& gpu) {
  check_keys(gpu, {"name",
                   "uuid",
                   "pci_bus_id",
                   "memory",
                   "compute_capability",
                   "sm_clock_mhz",
                   "max_sm_clock_mhz",
                   "default_sm_clock_mhz",
                   "memory_clock_mhz",
                   "temperature_celsius",
                   "memory_temperature_celsius",
                   "slowdown_temperature_celsius",
                   "power_milliwatts",
                   "power_limit_milliwatts",
                   "energy_millijoules",
                   "throttle_reasons",
                   "violations_ns",
                   "utilization",
                   "ecc_errors",
                   "remapped_rows",
                   "pcie_throughput",
                   "pcie_replays",
                   "pcie_link",
                   "processes",
                   "gpm",
                   "mig",
                   "slices",
                   "xid_events",
                   "no_permission",
                   "older_structs",
                   "lost_after_calls",
                   "faults"});
  if (!gpu.contains("slices")) return;
  if (!gpu.at("slices").is_array()) refuse("slices are no list: " + gpu.at("slices").dump());
  for (const Json& slice : gpu.at("slices")) {
    if (slice.is_null()) continue;
    check_keys(slice, {"gpu_instance", "name", "uuid", "memory", "processes", "gpm"});
  }
}

void check_machine(const Json& machine) {
  check_keys(machine, {"driver_version", "cuda_version", "init_status", "gpus"});
  if (!machine.contains("gpus")) return;
  if (!machine.at("gpus").is_array()) refuse("gpus are no list");
  for (const Json& gpu : machine.at("gpus")) check_gpu(gpu);
}

Json parsed(const char* path) {
  std::ifstream file(path);
  return Json::parse(file, nullptr, /*allow_exceptions=*/false);
}

}  // namespace

nlohmann::json described_machine() {
  Json machine = Json::object();
  const char* path = std::getenv("FAKE_GPUS");
  if (path == nullptr) {
    machine["init_status"] = batchscope::nvml::kDriverNotLoaded;
    return machine;
  }
  machine = parsed(path);
  if (machine.is_discarded()) refuse("no JSON in " + std::string(path));
  check_machine(machine);
  return machine;
}

std::optional<nlohmann::json> MachineFile::changed() {
  const char* path = std::getenv("FAKE_GPUS");
  struct stat facts {};
  if (path == nullptr || stat(path, &facts) != 0) return std::nullopt;
  const std::string version =
      std::string(path) + ' ' + std::to_string(facts.st_ino) + ' ' + std::to_string(facts.st_size) +
      ' ' + std::to_string(facts.st_mtim.tv_sec) + ' ' + std::to_string(facts.st_mtim.tv_nsec);
  if (version == seen_) return std::nullopt;
  Json machine = parsed(path);
  if (machine.is_discarded()) return std::nullopt;
  check_machine(machine);
  seen_ = version;
  return machine;
}

}  // namespace fake_driver
