#pragma once

#include "batchscope/tune/tune.hpp"

namespace batchscope::tune {

// What fresh visits say of the pick: fills in the contrasts, `verified`, `withdrawn` and the
// verdict. Standard and latency are there already. Of a pick that keeps no bounds there is nothing
// to verify.
void judge(const schema::RunFile& run, const Search& search, Tuned& tuned);

}  // namespace batchscope::tune
