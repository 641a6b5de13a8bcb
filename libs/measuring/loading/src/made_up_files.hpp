#pragma once

#include <filesystem>
#include <memory>
#include <span>

#include "batchscope/loading/sample_files.hpp"

namespace batchscope::loading {

// A folder that goes with this object. It is locked while its process lives, be it in a container
// of its own that shares the temporary folder: process numbers of another container mean nothing
// here.
class MadeUpFolder {
 public:
  // In the system's temporary folder. Errors: failed.
  static base::Result<std::shared_ptr<const MadeUpFolder>> make();
  ~MadeUpFolder();
  MadeUpFolder(const MadeUpFolder&) = delete;
  MadeUpFolder& operator=(const MadeUpFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  explicit MadeUpFolder(std::filesystem::path path) : path_(std::move(path)) {}

  std::filesystem::path path_;
  int lock_ = -1;
};

// Makes the files of `source` in a new folder. Errors: failed.
base::Result<std::shared_ptr<const MadeUpFolder>> make_up_files(
    const SampleSource& source, std::span<const engine::InputSpec> inputs, uint64_t seed);

}  // namespace batchscope::loading
