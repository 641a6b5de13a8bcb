#include "cpu_model.hpp"

#include <array>
#include <utility>

#include "batchscope/device/text_fields.hpp"

namespace batchscope::device {
namespace {

struct ArmPart {
  std::string_view implementer;
  std::string_view part;
  std::string_view name;
};

// MIDR_EL1 implementer and part numbers of processors that run such work, from the kernel's
// arch/arm64/include/asm/cputype.h.
constexpr std::array<ArmPart, 13> kArmParts{{
    {"0x41", "0xd08", "Arm Cortex-A72"},
    {"0x41", "0xd0b", "Arm Cortex-A76"},
    {"0x41", "0xd0c", "Arm Neoverse-N1"},
    {"0x41", "0xd40", "Arm Neoverse-V1"},
    {"0x41", "0xd49", "Arm Neoverse-N2"},
    {"0x41", "0xd4f", "Arm Neoverse-V2"},
    {"0x41", "0xd84", "Arm Neoverse-V3"},
    {"0x41", "0xd8e", "Arm Neoverse-N3"},
    {"0x42", "0x516", "Broadcom ThunderX2"},
    {"0x46", "0x001", "Fujitsu A64FX"},
    {"0x48", "0xd01", "HiSilicon Kunpeng-920"},
    {"0xc0", "0xac3", "Ampere-1"},
    {"0xc0", "0xac4", "Ampere-1A"},
}};

std::string arm_name(std::string_view cpuinfo) {
  const auto implementer = find_value(cpuinfo, "CPU implementer");
  const auto part = find_value(cpuinfo, "CPU part");
  if (!implementer || !part) return {};
  for (const ArmPart& known : kArmParts) {
    if (known.implementer == *implementer && known.part == *part) return std::string(known.name);
  }
  return "Arm implementer " + std::string(*implementer) + " part " + std::string(*part);
}

}  // namespace

std::string read_cpu_model(const base::SystemRoot& root, std::string_view cpuinfo) {
  if (const auto name = find_value(cpuinfo, "model name")) return std::string(*name);
  std::string arm = arm_name(cpuinfo);
  if (!arm.empty()) return arm;
  std::string tree = root.read_trimmed("/proc/device-tree/model");
  if (!tree.empty() && tree.back() == '\0') tree.pop_back();  // device-tree strings carry their NUL
  return tree;
}

}  // namespace batchscope::device
