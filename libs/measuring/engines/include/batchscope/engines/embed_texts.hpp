#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/engine/engine.hpp"
#include "batchscope/engine/model_store.hpp"
#include "batchscope/engine/tokenizer.hpp"

namespace batchscope::engines {

// What came of the texts, in their order.
struct Embedded {
  std::vector<std::vector<int32_t>> tokens;
  std::vector<float> vectors;  // texts x width, C order
  int64_t width = 0;
};

// The vectors of texts, `batch_size` at a time, sorted by length, each batch padded to its longest
// text, pooled as the stored model says. Errors: those of Tokenizer::tokenize and Model::infer;
// input (a tokenizer that does not fit the model); usage (inputs that texts do not provide).
base::Result<Embedded> embed_texts(const engine::StoredModel& stored, engine::Tokenizer& tokenizer,
                                   engine::Model& model, std::span<const std::string> texts,
                                   std::size_t batch_size);

// NumPy's format, version 1.0: float32 of texts x width.
std::string as_npy(const Embedded& embedded);

// A line for each text: {"text":1,"tokens":[101,...],"vector":[0.1,...]}; numbers that read back as
// the same float32.
std::string as_json_lines(const Embedded& embedded);

}  // namespace batchscope::engines
