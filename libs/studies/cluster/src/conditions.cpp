#include "batchscope/cluster/conditions.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/counted.hpp"
#include "batchscope/base/parse_number.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/host/cgroup.hpp"
#include "batchscope/host/cpu_list.hpp"
#include "batchscope/host/machine.hpp"
#include "batchscope/host/threads.hpp"

namespace batchscope::cluster {
namespace {

constexpr std::array<std::string_view, 10> kTiming = {
    "OMP_",           "MKL_",    "OPENBLAS_", "KMP_",           "MALLOC_",
    "GLIBC_TUNABLES", "ONEDNN_", "TORCH_",    "PYTHONHASHSEED", "LD_PRELOAD"};

bool changes_times(std::string_view variable) {
  return std::any_of(kTiming.begin(), kTiming.end(),
                     [&](std::string_view start) { return variable.starts_with(start); });
}

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// The first of these variables that says something.
std::string first_of(std::initializer_list<const char*> names) {
  for (const char* const name : names) {
    if (std::string value = variable(name); !value.empty()) return value;
  }
  return "";
}

std::string boot_id_of(const base::SystemRoot& root) {
  return root.read_trimmed("/proc/sys/kernel/random/boot_id");
}

// As its cluster calls it; else by what no two machines share.
std::string node_name(const std::string& host, const std::string& boot_id) {
  constexpr std::size_t kEnough = 8;
  const std::string given = first_of({"BATCHSCOPE_NODE", "SLURMD_NODENAME"});
  return given.empty() ? host + "-" + boot_id.substr(0, kEnough) : given;
}

// What the engine calls this task.
std::string job_here() {
  const std::string given = variable("BATCHSCOPE_JOB_ID");
  if (!given.empty()) return given;
  const std::string array = variable("SLURM_ARRAY_JOB_ID"), slurm = variable("SLURM_JOB_ID");
  if (!array.empty()) return fmt::format("slurm {}_{}", array, variable("SLURM_ARRAY_TASK_ID"));
  if (!slurm.empty()) return "slurm " + slurm;
  const std::string index = variable("JOB_COMPLETION_INDEX");
  return index.empty() ? "" : fmt::format("kubernetes {} {}", variable("HOSTNAME"), index);
}

// What CUDA_VISIBLE_DEVICES calls "cuda:1": a slice (MIG) has no number among the GPUs.
std::string visible_name(const std::string& device) {
  constexpr std::string_view kCuda = "cuda:";
  const std::string visible = variable("CUDA_VISIBLE_DEVICES");
  const auto names = base::split(visible, ',');
  const auto number = device.starts_with(kCuda)
                          ? base::parse_number<std::size_t>(device.substr(kCuda.size()))
                          : std::nullopt;
  if (visible.empty() || !number || *number >= names.size()) return device;
  return std::string(base::trim(names[*number]));
}

std::string device_name(const gpu::Gpus& gpus, const std::string& device) {
  const auto index = gpu::gpu_index(gpus, device);
  return index ? gpus.read(*index).uuid.value_or(device) : visible_name(device);
}

int nice_here() {
  errno = 0;
  const int nice = getpriority(PRIO_PROCESS, 0);
  return errno == 0 ? nice : 0;
}

schema::Event warning(int block, std::string what, std::string fix) {
  schema::Event event{{std::move(what), {}, std::move(fix)}, schema::EventKind::warning};
  event.where.block = block;
  return event;
}

}  // namespace

std::map<std::string, std::string> timing_variables() {
  std::map<std::string, std::string> found = host::current_environment();
  std::erase_if(found, [](const auto& each) { return !changes_times(each.first); });
  return found;
}

void set_timing_variables(const std::map<std::string, std::string>& wanted) {
  for (const auto& [name, value] : timing_variables()) unsetenv(name.c_str());
  for (const auto& [name, value] : wanted) setenv(name.c_str(), value.c_str(), 1);
}

void reset_process(const base::SystemRoot& root) {
  sigset_t stops;
  sigemptyset(&stops);
  sigaddset(&stops, SIGINT);
  sigaddset(&stops, SIGTERM);
  sigprocmask(SIG_UNBLOCK, &stops, nullptr);
  // Not all may be allowed to lower it: then it stays.
  static_cast<void>(root.write("/proc/self/oom_score_adj", "0"));
}

schema::Node this_node(const base::SystemRoot& root, const gpu::Gpus& gpus,
                       std::map<std::string, std::string> versions) {
  schema::Node node;
  node.machine = host::read_machine(root, gpus);
  node.boot_id = boot_id_of(root);
  node.name = node_name(node.machine.host, node.boot_id);
  node.allowed_cpus = static_cast<int>(host::current_affinity().size());
  node.versions = std::move(versions);
  for (const gpu::Gpu& each : gpu::read_all(gpus)) node.gpu_uuids.push_back(each.uuid.value_or(""));
  return node;
}

schema::Placement placement_here(const base::SystemRoot& root, const gpu::Gpus& gpus,
                                 const std::vector<schema::RunConfig>& configs) {
  schema::Placement here;
  for (const schema::RunConfig& config : configs) {
    base::add_if_new(here.devices, device_name(gpus, config.device));
  }
  here.cpus = host::format_cpu_list(host::current_affinity());
  here.job = job_here();
  here.nice = nice_here();
  here.restarts = base::parse_number<int>(variable("SLURM_RESTART_COUNT")).value_or(0);
  if (const auto quota = host::read_cpu_quota(root, host::find_cgroups(root))) {
    here.cpu_quota = quota->cpus;
  }
  return here;
}

std::vector<schema::Event> warnings_of(const schema::Placement& placement) {
  constexpr double kLongWait = 1;
  std::vector<schema::Event> warnings;
  const auto warn = [&](std::string what, std::string fix) {
    warnings.push_back(warning(placement.block, std::move(what), std::move(fix)));
  };
  if (placement.nice > 0) {
    warn(fmt::format("the block ran at nice {}: others go first on a busy machine", placement.nice),
         "start blocks at nice 0");
  }
  if (placement.lock_wait_s > kLongWait) {
    warn(fmt::format("the block waited {:.0f} s for another one to leave its device",
                     placement.lock_wait_s),
         "run one block at a time on a device");
  }
  if (placement.cpu_quota) {
    warn(fmt::format("a CPU quota limits the block to {:.1f} CPUs", *placement.cpu_quota),
         "request full CPUs without a quota");
  }
  if (placement.restarts > 0) {
    warn(fmt::format("the block was started {} before", base::counted(placement.restarts, "time")),
         "");
  }
  return warnings;
}

}  // namespace batchscope::cluster
