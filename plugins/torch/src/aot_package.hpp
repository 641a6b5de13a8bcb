#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/base/result.hpp"
#include "model_file.hpp"

namespace batchscope::torch_plugin {

// What a package says about how to call it: its inputs, read from the exported call convention (the
// JSON of a pytree, positional arguments then keyword arguments). Positional ones have no name
// there. Nothing when the text is of an unknown form.
std::optional<std::vector<Argument>> parse_call_spec(std::string_view json);

// All C++ sources that a package carries, one after the other. Errors: input.
base::Result<std::string> package_sources(const std::string& path);

// The numbers of threads that the compiled loops of a package are fixed to, the N of
// "num_threads(N)" in its sources; empty when they follow the runtime's setting.
std::vector<int> fixed_threads(std::string_view source);

}  // namespace batchscope::torch_plugin
