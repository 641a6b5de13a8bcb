#pragma once

#include <span>
#include <string>

#include "batchscope/base/result.hpp"
#include "batchscope/engine/engine.hpp"
#include "batchscope/engines/text_engine.hpp"
#include "batchscope/schema/run_config.hpp"

namespace batchscope::engines {

// Whether the texts of a configuration can be tokenized and fed to a model with these inputs (empty
// where they are not known): to be asked before anything is measured. `model` names it in errors.
// Errors: usage (training; inputs that texts do not give; lengths that the tokenizer cannot make),
// input (a tokenizer that knows more tokens than the model), and the loader's. Configurations
// without a pipeline pass.
base::Result<void> check_texts(const schema::RunConfig& config,
                               std::span<const engine::InputSpec> inputs, const std::string& model,
                               const TokenizerLoader& tokenizers);

}  // namespace batchscope::engines
