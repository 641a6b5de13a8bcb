#include "batchscope/host/memory_limiter.hpp"

#include <chrono>
#include <thread>
#include <utility>

#include "batchscope/base/units.hpp"
#include "batchscope/host/text_fields.hpp"
#include "cgroup_files.hpp"
#include "worker_group.hpp"

namespace batchscope::host {
namespace {

bool oom_killed_v1(const CgroupFiles& files, const std::filesystem::path& group) {
  const auto kills = find_number(files.read(group / "memory.oom_control"), "oom_kill");
  // Kernels before 4.13 do not count kills; there a limit that was hit is the nearest thing.
  if (kills) return *kills > 0;
  return parse_integer(files.read(group / "memory.failcnt")).value_or(0) > 0;
}

bool oom_killed_v2(const CgroupFiles& files, const std::filesystem::path& group) {
  return find_number(files.read(group / "memory.events"), "oom_kill").value_or(0) > 0;
}

}  // namespace

std::string_view to_string(MemoryLimitKind kind) {
  switch (kind) {
    case MemoryLimitKind::cgroup_v1:
      return "cgroup-v1";
    case MemoryLimitKind::cgroup_v2:
      return "cgroup-v2";
    case MemoryLimitKind::rlimit_data:
      return "rlimit-data";
  }
  return "";
}

MemoryLimiter MemoryLimiter::create(const base::SystemRoot& root, int64_t bytes) {
  return create(system_cgroup_files(root), find_cgroups(root), bytes);
}

MemoryLimiter MemoryLimiter::create(std::shared_ptr<CgroupFiles> files, const Cgroups& cgroups,
                                    int64_t bytes) {
  const auto group = make_worker_group(*files, cgroups.memory, bytes);
  if (!group) {
    std::string why =
        "RLIMIT_DATA of " + base::format_bytes(bytes) +
        " on address space, because no cgroup is usable: " + base::to_string(group.error());
    return {nullptr, MemoryLimitKind::rlimit_data, bytes, {}, std::move(why)};
  }
  const bool v2 = cgroups.memory.version == CgroupVersion::v2;
  const auto kind = v2 ? MemoryLimitKind::cgroup_v2 : MemoryLimitKind::cgroup_v1;
  std::string why = std::string(v2 ? "cgroup v2" : "cgroup v1") + " limit of " +
                    base::format_bytes(group->limit_bytes) + " on memory in use";
  return {std::move(files), kind, group->limit_bytes, group->path, std::move(why)};
}

MemoryLimiter::MemoryLimiter(std::shared_ptr<CgroupFiles> files, MemoryLimitKind kind,
                             int64_t bytes, std::filesystem::path group, std::string explanation)
    : files_(std::move(files)),
      kind_(kind),
      bytes_(bytes),
      group_(std::move(group)),
      explanation_(std::move(explanation)) {}

MemoryLimiter::MemoryLimiter(MemoryLimiter&& other) noexcept
    : files_(std::move(other.files_)),
      kind_(other.kind_),
      bytes_(other.bytes_),
      group_(std::exchange(other.group_, {})),
      explanation_(std::move(other.explanation_)) {}

MemoryLimiter& MemoryLimiter::operator=(MemoryLimiter&& other) noexcept {
  if (this == &other) return *this;
  remove_group();
  files_ = std::move(other.files_);
  kind_ = other.kind_;
  bytes_ = other.bytes_;
  group_ = std::exchange(other.group_, {});
  explanation_ = std::move(other.explanation_);
  return *this;
}

MemoryLimiter::~MemoryLimiter() {
  remove_group();
}

// The last process may take a moment to leave.
void MemoryLimiter::remove_group() {
  constexpr int kAttempts = 100;
  constexpr auto kPause = std::chrono::milliseconds(10);
  if (!files_ || group_.empty()) return;
  for (int i = 0; i < kAttempts && !files_->remove_group(group_); ++i) {
    std::this_thread::sleep_for(kPause);
  }
}

void remove_orphaned_groups(const base::SystemRoot& root) {
  remove_orphaned_groups(*system_cgroup_files(root), find_cgroups(root).memory);
}

std::optional<std::filesystem::path> MemoryLimiter::procs_file() const {
  if (group_.empty()) return std::nullopt;
  return files_->real_path(group_ / "cgroup.procs");
}

std::optional<int64_t> MemoryLimiter::rlimit_data_bytes() const {
  if (kind_ != MemoryLimitKind::rlimit_data) return std::nullopt;
  return bytes_;
}

void MemoryLimiter::confine(base::ChildSpec& spec) const {
  spec.data_limit_bytes = rlimit_data_bytes();
  if (const auto procs = procs_file()) spec.cgroup_procs_path = procs->string();
}

MemoryOutcome MemoryLimiter::outcome() const {
  if (group_.empty()) return {};
  if (kind_ == MemoryLimitKind::cgroup_v2) {
    return {oom_killed_v2(*files_, group_), parse_integer(files_->read(group_ / "memory.peak"))};
  }
  return {oom_killed_v1(*files_, group_),
          parse_integer(files_->read(group_ / "memory.max_usage_in_bytes"))};
}

}  // namespace batchscope::host
