#pragma once

#include <span>

#include "batchscope/document/document.hpp"
#include "batchscope/schema/run_file.hpp"

namespace batchscope::report {

// Every size that a search for the largest batch tried, in its order; empty where no run is one.
document::Document probes_section(std::span<const schema::RunFile> runs);

}  // namespace batchscope::report
