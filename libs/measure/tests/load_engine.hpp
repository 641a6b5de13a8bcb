#pragma once

#include <memory>
#include <string_view>

#include "batchscope/engine/plugin.hpp"
#include "batchscope/synthetic/synthetic.hpp"

namespace batchscope::measure {

// As the program finds them, but without texts: the synthetic engine, else the plugin of that name.
inline base::Result<std::unique_ptr<engine::Engine>> load_engine(std::string_view name) {
  if (name == "synthetic") return synthetic::make_synthetic_engine(0);
  return engine::load_engine(name);
}

}  // namespace batchscope::measure
