#pragma once

#include "batchscope/findings/catalogue.hpp"

namespace batchscope::advice {

// What is told of traces.
const findings::Catalogue& kinds();

}  // namespace batchscope::advice
