#pragma once

#include <vector>

#include "programs/draft.hpp"
#include "trial.hpp"

namespace batchscope::torch_plugin {

// Tries how large the integers of each input may be: an index beyond a table is refused. An input
// that takes any number keeps none. Errors are none: what cannot be tried stays as it is.
void find_largest_values(Trial& trial, std::vector<Draft>& drafts);

// Tries whether the second dimension of inputs of integers is a length: it may then be the usual
// one as well as a shorter one. A length that cannot be so long becomes the longest that can.
void find_lengths(Trial& trial, std::vector<Draft>& drafts);

}  // namespace batchscope::torch_plugin
