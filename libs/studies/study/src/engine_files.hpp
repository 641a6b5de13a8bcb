#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "batchscope/base/result.hpp"

namespace batchscope::study {

// A model as it was named after -m: by one name for every engine, or by a file for each.
struct NamedModel {
  std::string name;                          // empty where there are files
  std::map<std::string, std::string> files;  // by engine: "torch" -> "model.pt"
};

// "torch=a.pt", "openvino=a.xml" in a row are one model; where an engine comes again, the next one
// begins. Engines are those of `engines` alone: anything else with a '=' is a name.
std::vector<NamedModel> named_models(std::span<const std::string> models,
                                     std::span<const std::string> engines);

// What one engine is to load, model by model. Errors: usage (a model without a file for it).
base::Result<std::vector<std::string>> names_for(std::span<const NamedModel> models,
                                                 const std::string& engine);

// How runs call a model that has a file for each engine: the stem of the first engine's file.
std::string common_name(const NamedModel& model, std::span<const std::string> engines);

}  // namespace batchscope::study
