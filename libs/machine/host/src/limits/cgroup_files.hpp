#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/base/system_root.hpp"

namespace batchscope::host {

// The few things that are done to a cgroup tree, so that tests can stand in for the kernel: files
// appear in a group when it is made, and writes are refused by rules no plain folder has.
class CgroupFiles {
 public:
  virtual ~CgroupFiles() = default;
  virtual base::Result<void> make_group(const std::filesystem::path& group) = 0;
  // False where it is still there: a process that was killed may leave its group a moment later.
  virtual bool remove_group(const std::filesystem::path& group) = 0;
  virtual base::Result<void> write(const std::filesystem::path& file, std::string_view text) = 0;
  // Trimmed; empty when absent.
  virtual std::string read(const std::filesystem::path& file) const = 0;
  virtual bool exists(const std::filesystem::path& file) const = 0;
  virtual std::vector<std::string> list(const std::filesystem::path& group) const = 0;
  virtual std::filesystem::path real_path(const std::filesystem::path& file) const = 0;
};

std::shared_ptr<CgroupFiles> system_cgroup_files(const base::SystemRoot& root);

}  // namespace batchscope::host
