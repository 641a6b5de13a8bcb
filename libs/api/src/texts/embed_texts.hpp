#pragma once

#include <span>
#include <string>

#include "batchscope/api/embed.hpp"
#include "batchscope/engine/engine.hpp"
#include "batchscope/engine/model_store.hpp"
#include "batchscope/engine/tokenizer.hpp"

namespace batchscope::api {

// The vectors of texts, `batch_size` at a time as they come, each batch padded to its longest text,
// pooled as the stored model says. Errors: those of Tokenizer::tokenize and Model::infer; input (a
// tokenizer that does not fit the model).
base::Result<Embedded> embed_texts(const engine::StoredModel& stored, engine::Tokenizer& tokenizer,
                                   engine::Model& model, std::span<const std::string> texts,
                                   std::size_t batch_size);

}  // namespace batchscope::api
