#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "batchscope/base/result.hpp"

namespace batchscope::base {

// Where /proc and /sys are read from. Everything that looks at the machine takes one of these, so
// that a test hands it a folder of recorded files instead of the real system.
class SystemRoot {
 public:
  explicit SystemRoot(std::filesystem::path root = "/") : root_(std::move(root)) {}

  // `path` is absolute as on the real system ("/proc/stat"); the result lies below the root.
  std::filesystem::path resolve(const std::filesystem::path& path) const;
  // The whole text of a file. Errors: input, when it cannot be read.
  Result<std::string> read(const std::filesystem::path& path) const;
  // Text without trailing white space, or empty when absent: for one-value files such as sysfs
  // attributes.
  std::string read_trimmed(const std::filesystem::path& path) const;
  bool exists(const std::filesystem::path& path) const;
  // Into a file that is there, such as one that the kernel reads; false where it refuses.
  bool write(const std::filesystem::path& path, std::string_view text) const;
  // Names (not paths) in a folder, sorted; empty when the folder is absent.
  std::vector<std::string> list(const std::filesystem::path& path) const;

 private:
  std::filesystem::path root_;
};

}  // namespace batchscope::base
