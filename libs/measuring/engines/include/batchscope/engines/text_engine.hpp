#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "batchscope/base/result.hpp"
#include "batchscope/engine/engine.hpp"
#include "batchscope/engine/install_paths.hpp"
#include "batchscope/engine/tokenizer.hpp"

namespace batchscope::engines {

using TokenizerLoader =
    std::function<base::Result<std::unique_ptr<engine::Tokenizer>>(const engine::TokenizerSpec&)>;

// The engine, whose models embed texts where ExecutionSpec::pipeline says so: tokens come from the
// loader's tokenizer, texts from the pipeline's file or made-up words. All else is the engine's
// own. Errors of load(), beside the engine's: usage (a padding, order or pooling that there is not,
// an input that texts do not give, training), input (of the texts' file), and the loader's.
std::unique_ptr<engine::Engine> with_texts(std::unique_ptr<engine::Engine> engine,
                                           TokenizerLoader tokenizers);

// engine::load_tokenizer from these places.
TokenizerLoader tokenizers_of(const engine::InstallPaths& places);

// The synthetic engine by its name, else that of a plugin; with texts. Errors: those of
// engine::load_plugin.
base::Result<std::unique_ptr<engine::Engine>> load_engine(std::string_view name,
                                                          const engine::InstallPaths& places);

}  // namespace batchscope::engines
