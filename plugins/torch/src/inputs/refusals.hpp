#pragma once

#include <string_view>
#include <vector>

#include "programs/draft.hpp"

namespace batchscope::torch_plugin {

// Draws from what LibTorch says of a call what it wanted instead: "mat1 and mat2 shapes cannot be
// multiplied (5x7 and 64x128)" wants 64 where 7 was given. Every open dimension of a call has a
// size that no other has, so that the size tells which one is meant. False where the message tells
// nothing that could be mended.
bool mend(std::vector<Draft>& drafts, std::string_view refusal);

// Sizes for open dimensions: the primes from 7 on. 5 is the batch of a trial.
inline constexpr int64_t kTrialBatch = 5;
int64_t trial_size(size_t index);

}  // namespace batchscope::torch_plugin
