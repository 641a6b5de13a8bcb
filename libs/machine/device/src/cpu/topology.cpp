#include "batchscope/device/topology.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "batchscope/base/counted.hpp"
#include "batchscope/device/text_fields.hpp"

namespace batchscope::device {
namespace {

// "48K", "2048K", "32M" as sysfs writes cache sizes; 0 for anything else.
int64_t parse_size(std::string_view text) {
  const int64_t unit = text.ends_with('K') ? 1024 : text.ends_with('M') ? 1024 * 1024 : 1;
  if (unit != 1) text.remove_suffix(1);
  return parse_integer(text).value_or(0) * unit;
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

using Kind = std::pair<int, std::string>;  // level and type, the order of the result

class CacheCollector {
 public:
  void add(const base::SystemRoot& root, const std::filesystem::path& folder) {
    const auto level = parse_integer(root.read_trimmed(folder / "level"));
    const std::string sharers = root.read_trimmed(folder / "shared_cpu_list");
    if (!level || sharers.empty()) return;
    const Kind kind{static_cast<int>(*level), lower(root.read_trimmed(folder / "type"))};
    // The list of sharers names the instance: every CPU that shares it shows the same text.
    if (!instances_[kind].insert(sharers).second) return;
    Cache& cache = caches_[kind];
    cache.level = kind.first;
    cache.type = kind.second;
    cache.size_bytes = std::max(cache.size_bytes, parse_size(root.read_trimmed(folder / "size")));
    cache.cpus_per_instance =
        std::max(cache.cpus_per_instance, static_cast<int>(parse_cpu_list(sharers).size()));
    ++cache.instances;
  }

  std::vector<Cache> result() const {
    std::vector<Cache> list;
    for (const auto& [kind, cache] : caches_) list.push_back(cache);
    return list;
  }

 private:
  std::map<Kind, Cache> caches_;
  std::map<Kind, std::set<std::string>> instances_;
};

// The caches of `cpus` from /sys/devices/system/cpu/cpu*/cache, each instance counted once.
std::vector<Cache> read_caches(const base::SystemRoot& root, const CpuList& cpus) {
  CacheCollector collector;
  for (const int cpu : cpus) {
    const std::filesystem::path folder =
        "/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/cache";
    for (const std::string& name : root.list(folder)) {
      if (name.starts_with("index")) collector.add(root, folder / name);
    }
  }
  return collector.result();
}

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

// A processor's name from /proc/cpuinfo ("model name"; on Arm, which has none, from the implementer
// and part numbers), else from the device tree; empty when it is nowhere.
std::string read_cpu_model(const base::SystemRoot& root, std::string_view cpuinfo) {
  if (const auto name = find_value(cpuinfo, "model name")) return std::string(*name);
  std::string arm = arm_name(cpuinfo);
  if (!arm.empty()) return arm;
  std::string tree = root.read_trimmed("/proc/device-tree/model");
  if (!tree.empty() && tree.back() == '\0') tree.pop_back();  // device-tree strings carry their NUL
  return tree;
}

const std::filesystem::path kCpuFolder = "/sys/devices/system/cpu";
const std::filesystem::path kNodeFolder = "/sys/devices/system/node";

// Numbers cores by first appearance, whatever names a core in the source at hand.
class CoreNumbers {
 public:
  int number(const std::string& key) {
    return numbers_.try_emplace(key, static_cast<int>(numbers_.size())).first->second;
  }

 private:
  std::map<std::string, int> numbers_;
};

std::map<int, int> read_nodes(const base::SystemRoot& root) {
  std::map<int, int> node_of_cpu;
  for (const std::string& name : root.list(kNodeFolder)) {
    if (!name.starts_with("node")) continue;
    const auto node = parse_integer(std::string_view(name).substr(4));
    if (!node) continue;
    for (const int cpu : parse_cpu_list(root.read_trimmed(kNodeFolder / name / "cpulist"))) {
      node_of_cpu[cpu] = static_cast<int>(*node);
    }
  }
  return node_of_cpu;
}

LogicalCpu read_cpu(const base::SystemRoot& root, int id, CoreNumbers& cores) {
  const std::filesystem::path folder = kCpuFolder / ("cpu" + std::to_string(id)) / "topology";
  // core_cpus_list is the newer name (Linux 5.3) of thread_siblings_list.
  std::string siblings = root.read_trimmed(folder / "core_cpus_list");
  if (siblings.empty()) siblings = root.read_trimmed(folder / "thread_siblings_list");
  if (siblings.empty()) siblings = std::to_string(id);
  // Older Arm kernels say -1 where the firmware names no package.
  const int64_t package =
      parse_integer(root.read_trimmed(folder / "physical_package_id")).value_or(0);
  return {id, cores.number(siblings), static_cast<int>(std::max<int64_t>(package, 0)), 0};
}

std::vector<LogicalCpu> cpus_from_sysfs(const base::SystemRoot& root) {
  CoreNumbers cores;
  const std::map<int, int> node_of_cpu = read_nodes(root);
  std::vector<LogicalCpu> cpus;
  for (const int id : parse_cpu_list(root.read_trimmed(kCpuFolder / "online"))) {
    LogicalCpu cpu = read_cpu(root, id, cores);
    const auto node = node_of_cpu.find(id);
    if (node != node_of_cpu.end()) cpu.node = node->second;
    cpus.push_back(cpu);
  }
  return cpus;
}

LogicalCpu cpu_from_paragraph(std::string_view paragraph, int id, CoreNumbers& cores) {
  const auto package = find_number(paragraph, "physical id");
  const auto core = find_number(paragraph, "core id");
  const std::string key = package && core ? std::to_string(*package) + '/' + std::to_string(*core)
                                          : "cpu" + std::to_string(id);
  return {id, cores.number(key), static_cast<int>(package.value_or(0)), 0};
}

std::vector<LogicalCpu> cpus_from_cpuinfo(std::string_view cpuinfo) {
  CoreNumbers cores;
  std::vector<LogicalCpu> cpus;
  while (!cpuinfo.empty()) {
    const size_t end = cpuinfo.find("\n\n");
    const std::string_view paragraph = cpuinfo.substr(0, end);
    cpuinfo.remove_prefix(end == std::string_view::npos ? cpuinfo.size() : end + 2);
    const auto id = find_number(paragraph, "processor");
    if (id) cpus.push_back(cpu_from_paragraph(paragraph, static_cast<int>(*id), cores));
  }
  return cpus;
}

template <class Field>
int count_distinct(const std::vector<LogicalCpu>& cpus, Field field) {
  std::set<int> values;
  for (const LogicalCpu& cpu : cpus) values.insert(cpu.*field);
  return static_cast<int>(values.size());
}

CpuList ids(const std::vector<LogicalCpu>& cpus) {
  CpuList list;
  for (const LogicalCpu& cpu : cpus) list.push_back(cpu.id);
  return list;
}

std::optional<bool> read_smt(const base::SystemRoot& root, const Topology& topology) {
  const std::string active = root.read_trimmed(kCpuFolder / "smt/active");
  if (active == "1" || active == "0") return active == "1";
  if (topology.cpus.empty()) return std::nullopt;
  return topology.cpus.size() > static_cast<size_t>(topology.cores);
}

}  // namespace

std::optional<Cache> Topology::cache(int level, const std::string& type) const {
  for (const Cache& candidate : caches) {
    if (candidate.level == level && candidate.type == type) return candidate;
  }
  return std::nullopt;
}

std::string Topology::describe() const {
  return base::counted(packages, "socket") + ", " + base::counted(cores, "core") + ", " +
         base::counted(static_cast<int64_t>(cpus.size()), "logical CPU") + ", " +
         base::counted(nodes, "NUMA node");
}

Topology read_topology(const base::SystemRoot& root) {
  const std::string cpuinfo = root.read("/proc/cpuinfo").value_or("");
  Topology topology;
  topology.model = read_cpu_model(root, cpuinfo);
  topology.cpus = cpus_from_sysfs(root);
  if (topology.cpus.empty()) topology.cpus = cpus_from_cpuinfo(cpuinfo);
  topology.cores = count_distinct(topology.cpus, &LogicalCpu::core);
  topology.packages = count_distinct(topology.cpus, &LogicalCpu::package);
  topology.nodes = count_distinct(topology.cpus, &LogicalCpu::node);
  topology.caches = read_caches(root, ids(topology.cpus));
  topology.smt_active = read_smt(root, topology);
  return topology;
}

}  // namespace batchscope::device
