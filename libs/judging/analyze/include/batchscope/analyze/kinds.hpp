#pragma once

#include "batchscope/findings/catalogue.hpp"

namespace batchscope::analyze {

// What is told of runs: of batch sizes, causes and training.
const findings::Catalogue& kinds();

}  // namespace batchscope::analyze
