#pragma once

#include <memory>
#include <openvino/openvino.hpp>

#include "batchscope/engine/tokenizer.hpp"

namespace batchscope::openvino_plugin {

// The IR of a tokenizer, with what is known of it.
struct TokenizerModel {
  std::shared_ptr<ov::Model> model;
  engine::TokenizerFacts facts;
};

// Reads the IR and lets it cut texts where the spec says. Errors: input (not one that
// convert_tokenizer.py made), usage (a max_length that leaves no room for text).
base::Result<TokenizerModel> read_tokenizer(ov::Core& core, const engine::TokenizerSpec& spec);

}  // namespace batchscope::openvino_plugin
