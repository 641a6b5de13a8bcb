#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "batchscope/base/result.hpp"
#include "batchscope/base/subprocess.hpp"
#include "batchscope/base/system_root.hpp"
#include "batchscope/host/cgroup.hpp"

namespace batchscope::host {

class CgroupFiles;

enum class MemoryLimitKind { cgroup_v1, cgroup_v2, rlimit_data };
// "cgroup-v1", "cgroup-v2", "rlimit-data": the words of a run file.
std::string_view to_string(MemoryLimitKind kind);

struct MemoryOutcome {
  // The kernel killed a process of the group because the limit was reached. Always false under
  // RLIMIT_DATA, where an allocation fails instead (malloc returns null, C++ throws bad_alloc).
  bool oom_killed = false;
  std::optional<int64_t> peak_bytes;  // of the whole group; absent where the kernel keeps none
};

// A real limit on the memory of one worker: a group of its own below (or beside) the caller's own,
// else RLIMIT_DATA. The group is removed with the object, after every process in it has ended.
class MemoryLimiter {
 public:
  // `bytes` >= 1. Never fails: what is not permitted falls back to RLIMIT_DATA, and `explanation`
  // says why. A cgroup counts pages in use (page cache included, swap excluded); RLIMIT_DATA counts
  // private writable address space, which a program may reserve without using.
  static MemoryLimiter create(const base::SystemRoot& root, int64_t bytes);
  static MemoryLimiter create(std::shared_ptr<CgroupFiles> files, const Cgroups& cgroups,
                              int64_t bytes);

  MemoryLimiter(MemoryLimiter&& other) noexcept;
  MemoryLimiter& operator=(MemoryLimiter&& other) noexcept;
  MemoryLimiter(const MemoryLimiter&) = delete;
  MemoryLimiter& operator=(const MemoryLimiter&) = delete;
  ~MemoryLimiter();

  MemoryLimitKind kind() const { return kind_; }
  // What is in force: the kernel rounds to pages, and a parent's tighter limit still binds.
  int64_t limit_bytes() const { return bytes_; }
  // One line for a user: which kind is in force, and why not a better one.
  const std::string& explanation() const { return explanation_; }

  // The file into which the worker, before it allocates anything, writes "0" (itself). Absent under
  // RLIMIT_DATA. The path is real, the system root applied.
  std::optional<std::filesystem::path> procs_file() const;
  // The value for setrlimit(RLIMIT_DATA) in the worker; absent under a cgroup.
  std::optional<int64_t> rlimit_data_bytes() const;

  // Whichever of both is in force, for a process that is about to be started.
  void confine(base::ChildSpec& spec) const;

  // What happened to the processes of the group so far; to be asked after the worker was waited
  // for.
  MemoryOutcome outcome() const;

 private:
  MemoryLimiter(std::shared_ptr<CgroupFiles> files, MemoryLimitKind kind, int64_t bytes,
                std::filesystem::path group, std::string explanation);
  void remove_group();

  std::shared_ptr<CgroupFiles> files_;
  MemoryLimitKind kind_;
  int64_t bytes_;
  std::filesystem::path group_;  // empty under RLIMIT_DATA
  std::string explanation_;
};

// Removes the groups of processes that are gone: one that is killed cannot do so itself. Also
// called before another is made.
void remove_orphaned_groups(const base::SystemRoot& root);

}  // namespace batchscope::host
