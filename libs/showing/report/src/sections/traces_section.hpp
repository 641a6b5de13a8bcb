#pragma once

#include <span>

#include "batchscope/advice/named_traces.hpp"
#include "batchscope/document/document.hpp"

namespace batchscope::report {

// Of each trace where the time of its devices went and what would change it; where none was
// recorded, the operators of the host. One that cannot be read is said so. Empty without traces.
document::Document traces_section(std::span<const advice::NamedTrace> traces);

}  // namespace batchscope::report
