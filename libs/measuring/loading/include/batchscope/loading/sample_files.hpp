#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/engine/engine.hpp"

namespace batchscope::loading {

// What schema::Loader::source says.
struct SampleSource {
  std::filesystem::path folder;         // empty: files are made up
  int64_t files = 0;                    // made up
  int width = 320, height = 240;        // of made-up images, pixels
  int words = 200;                      // of made-up texts
  std::chrono::nanoseconds latency{0};  // before each made-up file is read, as of slow storage
};

// A folder, or "synthetic:256", "synthetic:256,latency=5ms,size=640x480,words=300". Errors: usage.
base::Result<SampleSource> parse_sample_source(std::string_view text);

// Removes the made-up files of processes that are gone: one that is killed cannot do so itself.
void remove_orphaned_samples();

class MadeUpFolder;

// Files to train on, one sample each. Made-up ones stand in a folder of their own below the
// system's temporary one, which goes with this object; what a killed process left there goes with
// remove_orphaned_samples(), which is also called before others are made.
class SampleFiles {
 public:
  // Made-up files are what the inputs want: images (.ppm) for float32 Bx3xHxW, texts (.txt) for
  // int64 BxS, else bytes (.bin). Errors: input (no such folder, no file in it), failed (they
  // cannot be written).
  static base::Result<std::unique_ptr<SampleFiles>> open(const SampleSource& source,
                                                         std::span<const engine::InputSpec> inputs,
                                                         uint64_t seed);
  ~SampleFiles();
  SampleFiles(const SampleFiles&) = delete;
  SampleFiles& operator=(const SampleFiles&) = delete;

  // Sorted; of a folder every regular file below it whose name does not begin with a dot.
  const std::vector<std::filesystem::path>& paths() const { return paths_; }
  // The whole of one, read anew. Thread-safe. Errors: input.
  base::Result<std::string> read(std::size_t file) const;
  // The number of the folder it stands in, among those that hold files: the class of a sample.
  int64_t label(std::size_t file) const { return labels_[file]; }

 private:
  SampleFiles() = default;
  base::Result<void> list(const std::filesystem::path& folder);

  std::shared_ptr<const MadeUpFolder> made_up_;  // removed at the end; none for a user's folder
  std::vector<std::filesystem::path> paths_;
  std::vector<int64_t> labels_;
  std::chrono::nanoseconds latency_{0};
};

}  // namespace batchscope::loading
