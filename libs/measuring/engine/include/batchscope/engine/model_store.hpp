#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/engine/install_paths.hpp"
#include "batchscope/schema/text_pipeline.hpp"

namespace batchscope::engine {

// A model that lies in a folder of its own with all that is needed to run it: one file for each
// engine, its tokenizer, and model.json. `./dev models` makes such folders.
struct StoredModel {
  std::string name;
  std::filesystem::path folder;
  std::string summary;
  std::vector<std::string> inputs;  // as a user states them
  int64_t parameters = 0;
  int64_t vocabulary = 0;
  int64_t pad_id = 0;
  int64_t hidden_size = 0;                      // elements of a token's vector
  int64_t max_positions = 0;                    // tokens that the model can take
  int64_t max_length = 0;                       // tokens that its makers cut texts at
  schema::OpenEnum<schema::Pooling> pooling{};  // "mean", "cls"
  bool normalize = false;                       // whether its vectors are of length 1

  std::filesystem::path tokenizer() const { return folder / "tokenizer.xml"; }
};

// The model FOLDER/NAME/model.json of the first of places.models that has one; nothing where none
// has.
// Errors: input (model.json cannot be read, or lacks something).
base::Result<std::optional<StoredModel>> find_stored_model(std::string_view name,
                                                           const InstallPaths& places);

// All of them, by name; those that cannot be read are left out.
std::vector<StoredModel> stored_models(const InstallPaths& places);

// The model's file for an engine: the first of EngineDescription::stored_files that is there.
// Errors: usage (there is none), saying how to make it.
base::Result<std::filesystem::path> file_for(const StoredModel& model, std::string_view engine,
                                             const InstallPaths& places);

// What mends a name that nobody knows: `./dev models` where it makes that model, else nothing.
std::string how_to_make(std::string_view name);

}  // namespace batchscope::engine
