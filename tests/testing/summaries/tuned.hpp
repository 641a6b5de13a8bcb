#pragma once

#include "batchscope/findings/summary.hpp"

namespace batchscope::fixtures {

// one_group(), as a search with a latency budget found it: five points, of which one is beyond the
// budget and one of an engine that computes something else.
findings::Summary tuned();

}  // namespace batchscope::fixtures
