#include "worker_group.hpp"

#include <unistd.h>

#include <string>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/subprocess.hpp"
#include "batchscope/host/text_fields.hpp"

namespace batchscope::host {
namespace {

constexpr std::string_view kNamePrefix = "batchscope-";

// A name below `parent` that is free: one process may limit several workers at a time.
std::filesystem::path free_group(const CgroupFiles& files, const std::filesystem::path& parent) {
  const std::string name = std::string(kNamePrefix) + std::to_string(getpid()) + '-';
  int number = 0;
  while (files.exists(parent / (name + std::to_string(number)))) ++number;
  return parent / (name + std::to_string(number));
}

// Groups of runs that were killed before they could tidy up. The kernel refuses to remove one that
// still holds a process.
void remove_leftovers(CgroupFiles& files, const std::filesystem::path& parent) {
  for (const std::string& name : files.list(parent)) {
    if (!name.starts_with(kNamePrefix)) continue;
    const std::string_view rest = std::string_view(name).substr(kNamePrefix.size());
    const auto pid = parse_integer(rest.substr(0, rest.find('-')));
    if (!pid || *pid <= 0) continue;
    if (!base::process_exists(*pid)) files.remove_group(parent / name);
  }
}

base::Result<int64_t> limit_v1(CgroupFiles& files, const std::filesystem::path& group,
                               int64_t bytes) {
  const std::string value = std::to_string(bytes);
  auto limited = files.write(group / "memory.limit_in_bytes", value);
  if (!limited) return limited.error();
  // memsw counts memory and swap together, so this forbids swap. It is absent where the kernel does
  // not account swap; then swappiness 0 keeps the group out of it.
  auto no_swap = files.write(group / "memory.memsw.limit_in_bytes", value);
  if (!no_swap) no_swap = files.write(group / "memory.swappiness", "0");
  const auto taken = parse_integer(files.read(group / "memory.limit_in_bytes"));
  return taken.value_or(bytes);
}

base::Result<int64_t> limit_v2(CgroupFiles& files, const std::filesystem::path& group,
                               int64_t bytes) {
  auto limited = files.write(group / "memory.max", std::to_string(bytes));
  if (!limited) return limited.error();
  // Both are refinements that older kernels or ones without swap lack.
  (void)files.write(group / "memory.swap.max", "0");
  (void)files.write(group / "memory.oom.group", "1");
  const auto taken = parse_integer(files.read(group / "memory.max"));
  return taken.value_or(bytes);
}

bool hands_down_memory(CgroupFiles& files, const std::filesystem::path& parent) {
  const std::string handed = files.read(parent / "cgroup.subtree_control");
  return base::contains(split_fields(handed), "memory");
}

// In v2 a child has memory control only when its parent hands it down, which the kernel refuses
// (EBUSY) to a parent that holds processes itself.
base::Result<void> hand_down_memory(CgroupFiles& files, const std::filesystem::path& parent) {
  if (hands_down_memory(files, parent)) return {};
  return files.write(parent / "cgroup.subtree_control", "+memory");
}

base::Result<WorkerGroup> make_below(CgroupFiles& files, CgroupVersion version,
                                     const std::filesystem::path& parent, int64_t bytes) {
  const bool v2 = version == CgroupVersion::v2;
  if (v2) {
    auto handed = hand_down_memory(files, parent);
    if (!handed) return handed.error();
  }
  const std::filesystem::path group = free_group(files, parent);
  auto made = files.make_group(group);
  if (!made) return made.error();
  const auto limit = v2 ? limit_v2(files, group, bytes) : limit_v1(files, group, bytes);
  if (limit) return WorkerGroup{group, *limit};
  files.remove_group(group);
  return limit.error();
}

bool unlimited(CgroupFiles& files, const std::filesystem::path& file) {
  const std::string text = files.read(file);
  return text.empty() || text.starts_with("max");
}

// A sibling of the own group escapes what the own group imposes, so only a group that imposes
// nothing may be left; and the parent is somebody else's, so it is taken as it is.
bool may_leave(CgroupFiles& files, const std::filesystem::path& group) {
  return hands_down_memory(files, group.parent_path()) && unlimited(files, group / "memory.max") &&
         unlimited(files, group / "memory.high") && unlimited(files, group / "cpu.max") &&
         unlimited(files, group / "pids.max") && files.read(group / "cpuset.cpus").empty();
}

}  // namespace

void remove_orphaned_groups(CgroupFiles& files, const CgroupDir& memory) {
  if (memory.version == CgroupVersion::none) return;
  remove_leftovers(files, memory.group);
  const bool v2 = memory.version == CgroupVersion::v2;
  if (v2 && memory.group != memory.mount) remove_leftovers(files, memory.group.parent_path());
}

base::Result<WorkerGroup> make_worker_group(CgroupFiles& files, const CgroupDir& memory,
                                            int64_t bytes) {
  if (memory.version == CgroupVersion::none) {
    return base::Error{
        base::ErrorKind::failed, "there is no mounted cgroup memory controller", {}, {}};
  }
  remove_orphaned_groups(files, memory);
  auto below = make_below(files, memory.version, memory.group, bytes);
  const bool at_mount = memory.group == memory.mount;
  if (below || memory.version == CgroupVersion::v1 || at_mount || !may_leave(files, memory.group)) {
    return below;
  }
  auto beside = make_below(files, memory.version, memory.group.parent_path(), bytes);
  return beside ? std::move(beside) : std::move(below);
}

}  // namespace batchscope::host
