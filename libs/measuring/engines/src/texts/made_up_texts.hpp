#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/engine/tokenizer.hpp"

namespace batchscope::engines {

// Whether a text can have that many tokens, special ones included. Errors: usage.
base::Result<void> check_length(int64_t length, const engine::TokenizerFacts& facts);

// Texts of everyday words that have these numbers of tokens, special ones included, as the
// tokenizer counts; the same for the same seed. Errors: usage (a length that the tokenizer cannot
// give: below its special tokens, above its limit, or between two words), and the tokenizer's.
base::Result<std::vector<std::string>> make_up_texts(engine::Tokenizer& tokenizer,
                                                     std::span<const int64_t> lengths,
                                                     uint64_t seed);

}  // namespace batchscope::engines
