#pragma once

#include <memory>
#include <string>
#include <vector>

#include "batchscope/engine/abilities.hpp"
#include "batchscope/engine/tokenizer.hpp"
#include "batchscope/engines/padding.hpp"
#include "text_inputs.hpp"

namespace batchscope::engines {

// What a batch of texts goes through, resolved from schema::TextPipeline.
struct TextWork {
  std::unique_ptr<engine::Tokenizer> tokenizer;
  std::vector<std::string> texts;  // of the file; empty: made up
  schema::Padding padding;
  int64_t sort_window = 0;   // texts that are sorted together; 0: as before there were windows:
  bool sorts_cycle = false;  // those of a cycle, or none
  int64_t token_budget = 0;  // 0: none
  engine::Pool pool;
  TextInputs inputs;
  uint64_t seed = 0;
};

// Embeds texts with a model that works on tokens: an iteration takes one batch of texts from the
// host and ends with its vectors on the host. Phases: tokenize, pad, then those of infer(), once
// for each part of a batch that a budget of tokens splits. `takes` is the model as what it has to
// be; `clock` outlives it. It can do what the model can, but for training.
std::unique_ptr<engine::Model> make_text_model(TextWork work, std::unique_ptr<engine::Model> model,
                                               engine::TakesTensors& takes,
                                               const engine::Clock& clock);

}  // namespace batchscope::engines
