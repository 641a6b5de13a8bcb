#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/engine/engine.hpp"
#include "batchscope/engine/install_paths.hpp"

// What is to be known of an engine before its framework is loaded, or where it is not installed:
// which files it takes, how to get it. It is data, a file engine.json in the folder of a plugin.
// Those of this project are part of this library; that of another plugin lies beside it as
// libbatchscope_<name>.json.
namespace batchscope::engine {

// How Triton Inference Server runs what this engine runs.
struct TritonBackend {
  std::string name;                      // as after `backend:`
  std::string threads_parameter;         // sets its threads on the CPU; empty: none does
  bool tells_inputs_and_outputs = true;  // of a model, so that its configuration need not
};

struct EngineDescription {
  std::string name;  // as a user states it
  // Of the model files that it takes, with the dot; what is best known comes first. A file whose
  // ending several engines have goes to the first of them.
  std::vector<std::string> endings;
  // Names of files in a stored model's folder, the preferred one first.
  std::vector<std::string> stored_files;
  std::vector<std::string> device_kinds;  // "cpu", "cuda": names of devices up to the colon
  std::string how_to_get;                 // an instruction; empty: it is part of the program
  std::vector<Ability> abilities;         // of its models, as far as device and mode allow
  bool trains = true;
  bool loads_files = false;  // trains with ExecutionSpec::loader
  bool tokenizes = false;    // has the entry point kTokenizerEntry
  // Engine::inputs_of calls a model whose inputs nobody says: ask in a process that may end.
  bool calls_for_inputs = false;
  bool virtual_time = false;  // runs laws instead of models: nothing is computed, no core is needed
  // Its models live in an interpreter, which is started for each visit instead of the program, and
  // are named in its language.
  bool interpreted = false;
  // Set in a process whose threads are watched, where the user has not set it: what makes waiting
  // threads sleep, so that their CPU time is work.
  std::map<std::string, std::string> environment_when_watched;
  std::optional<TritonBackend> triton;
};

// Errors: input (no JSON, a key that is missing or unknown, a value of another type).
base::Result<EngineDescription> parse_description(std::string_view json, const std::string& where);

// Engines of this project, installed or not, in the order in which they are preferred; the first
// runs what does not say which engine it needs.
const std::vector<EngineDescription>& own_engines();

// By the name of the engine: one of own_engines(), else what lies beside a plugin in
// places.plugins. Nothing where that is absent or cannot be read.
std::optional<EngineDescription> find_description(std::string_view engine,
                                                  const InstallPaths& places);

// Of an engine at hand; what none describes trains, and has nothing else.
EngineDescription describe(const Engine& engine, const InstallPaths& places);

// The engine for a file by its ending, else for anything: own_engines(), then the first of those.
const EngineDescription& engine_for(const std::filesystem::path& model);

// ".pt, .pt2, .onnx or .xml": every ending that an engine takes.
std::string known_endings();

// "torch or openvino": the engines of which this is true.
std::string engines_that(const std::function<bool(const EngineDescription&)>& can);

}  // namespace batchscope::engine
