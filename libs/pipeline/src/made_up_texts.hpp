#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/engine/tokenizer.hpp"

namespace batchscope::pipeline {

// Texts of everyday words that have these numbers of tokens, special ones included, as the
// tokenizer counts; the same for the same seed. Errors: failed (a length that the tokenizer cannot
// give: below its special tokens, above its limit, or between two words), and the tokenizer's.
base::Result<std::vector<std::string>> make_up_texts(engine::Tokenizer& tokenizer,
                                                     std::span<const int64_t> lengths,
                                                     uint64_t seed);

}  // namespace batchscope::pipeline
