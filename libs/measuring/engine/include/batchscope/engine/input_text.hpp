#pragma once

#include <span>
#include <string>
#include <vector>

#include "batchscope/engine/engine.hpp"

// Inputs in words, for those that nobody typed.
namespace batchscope::engine {

// "input_ids:BxS:int64=0-30521": what parse_input_spec reads as this input. Where no dimension is B
// the first one is written so, because that is how it is typed; a model that takes one size alone
// says so again.
std::string to_text(const InputSpec& input);

// All of them so; none where one cannot be written (a name with ':' or '=').
std::vector<std::string> to_texts(std::span<const InputSpec> inputs);

// "x float32 [B, 3, 224, 224]", "input_ids int64 [B, S] of 0 to 30521", "mask int64 [B, S] of 1".
std::string describe(const InputSpec& input);

}  // namespace batchscope::engine
