#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/engine/engine.hpp"
#include "batchscope/engine/install_paths.hpp"
#include "batchscope/findings/catalogue.hpp"
#include "batchscope/findings/commands.hpp"

namespace batchscope::api {

// What the functions of this library are called with beside their options: where the parts of an
// installation lie, how its reader calls what can be set, and how a run is stopped. Nothing here
// looks for any of it by itself.
struct Program {
  engine::InstallPaths places{};  // of plugins and stored models
  // The program batchscope, which is started anew for the visits of a run. Empty: there is none,
  // and only what asks for no process of its own (isolation none) can be measured.
  std::string worker{};
  // An interpreter of Python with the package batchscope, as it is started, for models in Python.
  std::vector<std::string> interpreter{"python3"};
  // Of the batch sizes that ran out of memory in any run; empty: nothing of it is kept.
  std::filesystem::path ceilings{};
  std::string version{};          // for run files
  findings::Commands commands{};  // that answers propose
  // Told a line about what was found out while a run is set up, such as inputs that nobody typed.
  // May be empty.
  std::function<void(const std::string& line)> tell{};
  // Ends a run after the visit that is being made; what was measured until then is kept.
  std::stop_token stop{};
  // Called once a run is set up, before anything of it is measured: from there on a stop that was
  // asked for leaves a run file to go on with. May be empty.
  std::function<void()> before_measuring{};
};

// For an installation or a build tree that has this program, bin/batchscope: its plugins and models
// are looked for beside it, and what ran out of memory in the user's own file.
Program program_beside(const std::filesystem::path& executable);

// The synthetic engine and that of models in Python by their names, else that of a plugin. Errors:
// those of engines::load_engine and engines::make_interpreted_engine.
base::Result<std::unique_ptr<engine::Engine>> load_engine(const Program& program,
                                                          std::string_view name);

// What can be told of runs, traces, training loops and machines, by the usual thresholds.
findings::Catalogue catalogue();

}  // namespace batchscope::api
