#include "batchscope/host/machine.hpp"

#include <array>
#include <utility>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/host/text_fields.hpp"

namespace batchscope::host {
namespace {

std::optional<int64_t> kibibytes(std::string_view meminfo, std::string_view key) {
  const auto value = find_number(meminfo, key);
  if (!value) return std::nullopt;
  return *value * 1024;
}

std::string unquote(std::string_view text) {
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') {
    text = text.substr(1, text.size() - 2);
  }
  return std::string(text);
}

std::string os_name(const base::SystemRoot& root) {
  for (const char* path : {"/etc/os-release", "/usr/lib/os-release"}) {
    const std::string text = root.read(path).value_or("");
    for (const std::string_view line : base::split(text, '\n')) {
      constexpr std::string_view kKey = "PRETTY_NAME=";
      if (line.starts_with(kKey)) return unquote(base::trim(line.substr(kKey.size())));
    }
  }
  return {};
}

// Strings that firmware of virtual machines carries where real boards name their maker.
constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kFirmwareNames{{
    {"QEMU", "QEMU/KVM"},
    {"KVM", "KVM"},
    {"Amazon EC2", "Amazon EC2"},
    {"Google Compute Engine", "Google Compute Engine"},
    {"VMware", "VMware"},
    {"VirtualBox", "VirtualBox"},
    {"Virtual Machine", "Hyper-V"},
    {"Xen", "Xen"},
}};

// Amazon's bare-metal machines carry its name in the firmware too, under ".metal" product names.
std::string hypervisor_from_firmware(const base::SystemRoot& root) {
  const std::filesystem::path dmi = "/sys/class/dmi/id";
  const std::string product = root.read_trimmed(dmi / "product_name");
  if (product.find(".metal") != std::string::npos) return {};
  const std::string text = root.read_trimmed(dmi / "sys_vendor") + ' ' + product;
  for (const auto& [needle, name] : kFirmwareNames) {
    if (text.find(needle) != std::string::npos) return std::string(name);
  }
  return {};
}

bool has_hypervisor_flag(const base::SystemRoot& root) {
  const std::string cpuinfo = root.read("/proc/cpuinfo").value_or("");
  const auto flags = find_value(cpuinfo, "flags");
  return flags && base::contains(split_fields(*flags), "hypervisor");
}

}  // namespace

MemoryInfo read_memory_info(const base::SystemRoot& root) {
  const std::string text = root.read("/proc/meminfo").value_or("");
  MemoryInfo info{kibibytes(text, "MemTotal"), kibibytes(text, "MemAvailable")};
  const auto swap = kibibytes(text, "SwapTotal"), free = kibibytes(text, "SwapFree");
  if (swap && free) info.swap_used_bytes = *swap - *free;
  return info;
}

Platform read_platform(const base::SystemRoot& root) {
  Platform platform;
  platform.host = root.read_trimmed("/proc/sys/kernel/hostname");
  platform.kernel = root.read_trimmed("/proc/sys/kernel/osrelease");
  platform.os = os_name(root);
  platform.hypervisor = hypervisor_from_firmware(root);
  // The CPU flag exists on x86 only; elsewhere the firmware or the device tree tells.
  platform.virtualised = has_hypervisor_flag(root) || !platform.hypervisor.empty() ||
                         root.exists("/proc/device-tree/hypervisor");
  platform.container = root.exists("/.dockerenv") || root.exists("/run/.containerenv");
  return platform;
}

schema::Machine read_machine(const base::SystemRoot& root, const gpu::Gpus& gpus) {
  schema::Machine machine =
      describe_machine(read_topology(root), read_memory_info(root), read_platform(root));
  const auto read = gpu::read_all(gpus);
  machine.gpus = gpu::gpu_names(read);
  for (const gpu::Gpu& each : read) {
    machine.gpu_memory_bytes.push_back(each.memory_total_bytes.value_or(0));
  }
  return machine;
}

schema::Machine describe_machine(const Topology& topology, const MemoryInfo& memory,
                                 const Platform& platform) {
  schema::Machine machine;
  machine.host = platform.host;
  machine.cpu = topology.model;
  machine.physical_cores = topology.cores;
  machine.logical_cpus = static_cast<int>(topology.cpus.size());
  machine.memory_bytes = memory.total_bytes.value_or(0);
  const auto l3 = topology.cache(3, "unified");
  machine.l3_bytes = l3 ? l3->size_bytes * l3->instances : 0;
  machine.kernel = platform.kernel;
  machine.os = platform.os;
  machine.virtualised = platform.virtualised;
  return machine;
}

}  // namespace batchscope::host
