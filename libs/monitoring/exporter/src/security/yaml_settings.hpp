#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "batchscope/base/result.hpp"

namespace batchscope::exporter {

// A setting in a section, as most configurations in YAML are.
struct YamlSetting {
  std::string section, key, value;
  std::size_t line = 0;  // from 1
};

// Sections of settings, in their order; an empty section has none. Errors: input (no YAML, or
// nested otherwise; twice the same setting). `path` is for the errors.
base::Result<std::vector<YamlSetting>> yaml_settings(const std::string& text,
                                                     const std::string& path);

}  // namespace batchscope::exporter
