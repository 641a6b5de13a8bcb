#pragma once

#include "batchscope/findings/summary.hpp"

namespace batchscope::fixtures {

// one_group() with what leads it: batch 4, verified on a quiet machine, with its gain and latency;
// batch 8 is proven to take 12 % longer than two of 4.
findings::Summary answered();
// one_group() where no size is told apart from another: nothing is named, intervals are wider than
// what they stand beside, and the machine was disturbed.
findings::Summary hopeless();
// three_groups() as models compared, with a margin of 3 %.
findings::Summary compared();

}  // namespace batchscope::fixtures
