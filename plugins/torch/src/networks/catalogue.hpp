#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/engine/engine.hpp"
#include "network.hpp"
#include "parameter_source.hpp"
#include "programs/program.hpp"

namespace batchscope::torch_plugin {

// A built-in model: published shapes, random weights.
struct Builtin {
  std::string name;
  std::string summary;
  std::vector<engine::InputSpec> inputs;
  engine::InputSpec target;
  Loss loss = Loss::mean_square;
  std::optional<int64_t> default_seq_len;
  std::optional<int64_t> longest_seq_len;
  bool checkpointing = false;  // see Network::checkpoint_layers
  std::unique_ptr<Network> (*build)(ParameterSource&) = nullptr;
};

std::vector<Builtin> builtins();

// Errors: usage, naming the known models.
base::Result<Builtin> find_builtin(std::string_view name);

engine::ModelDescription describe(const Builtin& builtin);

}  // namespace batchscope::torch_plugin
