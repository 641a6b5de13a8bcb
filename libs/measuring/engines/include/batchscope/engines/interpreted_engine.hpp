#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/base/subprocess.hpp"
#include "batchscope/engine/engine.hpp"
#include "batchscope/engine/install_paths.hpp"

namespace batchscope::engines {

// An interpreter that has the package batchscope, as it is started: {"/usr/bin/python3"}.
using Interpreter = std::vector<std::string>;

// What is started instead of the program's own worker for a visit of a model in Python; plugins of
// other engines, whose outputs are compared with it, it finds in `places`.
std::vector<std::string> worker_of(const Interpreter& interpreter,
                                   const engine::InstallPaths& places);

// Sets limits in what is about to be started. What comes back is kept until that has ended.
using Confine = std::function<std::shared_ptr<const void>(base::ChildSpec& spec)>;

// The engine "python" as the program sees it: it knows what an interpreter, started anew for each
// question, says of itself and of a model. It loads none: visits are made by worker_of(). Whoever
// is asked about a model is confined, where `confine` is not empty. Errors: failed (no such
// interpreter, one without the package or with another version of it, or that says nothing within
// two minutes; a model that ends it).
base::Result<std::unique_ptr<engine::Engine>> make_interpreted_engine(Interpreter interpreter,
                                                                      Confine confine = {});

}  // namespace batchscope::engines
