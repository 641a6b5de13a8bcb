#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "batchscope/base/result.hpp"

namespace batchscope::api {

struct TraceFiles {
  struct File {
    std::filesystem::path path;
    bool is_named = false;  // by the user; else found in a folder
    // Of the profiles that one worker left one after the other: which of how many.
    size_t cycle = 1;
    size_t cycles = 1;
  };
  std::vector<File> files;
  std::vector<std::string> left_out;  // with the reason
};

// The traces that are named and those of folders that are: by their names, and by their content
// what is none but is known. Of a TensorBoard log folder those below plugins/profile. In the order
// of the names. Errors: input (a folder cannot be read, or holds nothing of the kind).
base::Result<TraceFiles> trace_files(const std::vector<std::filesystem::path>& named);

}  // namespace batchscope::api
