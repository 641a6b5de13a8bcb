#pragma once

#include <vector>

#include "batchscope/trace/trace.hpp"
#include "correlations.hpp"
#include "name_classes.hpp"

namespace batchscope::attribution {

// Marks the kernels that talk to other devices though their names do not say so: most of their
// launches lie in an operator or a Python function that does, or their names say that they may, and
// their stream does nothing else.
void find_communication(const trace::Trace& trace, const Correlations& launches,
                        std::vector<NameClass>& classes);

}  // namespace batchscope::attribution
