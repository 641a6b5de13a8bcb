#pragma once

#include <unistd.h>

#include <filesystem>
#include <string>

#include "batchscope/api/measure_options.hpp"

namespace batchscope::api {

// A folder of this test's own, gone with it.
class Folder {
 public:
  Folder() { std::filesystem::create_directories(path_); }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  const std::filesystem::path path_ =
      std::filesystem::temp_directory_path() / ("batchscope-api-" + std::to_string(getpid()));
};

// A law in virtual time, measured in this process: no worker and no plugin is needed.
inline void measure_a_law(MeasureOptions& options, const std::filesystem::path& path) {
  options.request.models = {"synthetic:affine:5ms,2ms;visit_sd=0.01"};
  options.request.axes.threads = {1};
  options.request.seed = 7;
  options.request.plan.isolation = schema::Isolation::none;
  options.file.path = path;
}

// Six blocks of four sizes.
inline MeasureOptions a_law(const std::filesystem::path& path) {
  MeasureOptions options;
  measure_a_law(options, path);
  options.request.plan.blocks = 6;
  options.request.plan.blocks_fixed = true;
  return options;
}

}  // namespace batchscope::api
