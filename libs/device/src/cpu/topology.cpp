#include "batchscope/device/topology.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "batchscope/device/text_fields.hpp"
#include "caches.hpp"
#include "cpu_model.hpp"
#include "wording.hpp"

namespace batchscope::device {
namespace {

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
  return counted(packages, "socket") + ", " + counted(cores, "core") + ", " +
         counted(static_cast<int64_t>(cpus.size()), "logical CPU") + ", " +
         counted(nodes, "NUMA node");
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
