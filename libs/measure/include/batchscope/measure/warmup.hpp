#pragma once

#include "batchscope/schema/run_file.hpp"
#include "batchscope/stats/warmup.hpp"

namespace batchscope::measure {

// The warm-up that the visits so far show to be needed (docs/design/method.md, 1.7). Nothing is
// known before two blocks are complete. Series (sync end) say nothing of single iterations. A
// warm-up that the user fixed stays.
stats::PooledWarmup pooled_warmup(const schema::RunFile& run);

}  // namespace batchscope::measure
