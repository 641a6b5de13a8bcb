#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace batchscope::schema {

// What is known of a model that was measured.
struct ModelInfo {
  std::string name;                 // as it stands in RunConfig::model
  std::string path;                 // empty for a built-in model
  std::vector<std::string> inputs;  // of a file, as the user stated them
  std::optional<int64_t> parameters;
  std::string hash;  // of the file, or of the built-in's definition
  std::string description;
  std::string engine{};  // that says so, where the run has several
};

}  // namespace batchscope::schema
