#pragma once

#include <string>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/study/axes.hpp"

namespace batchscope::cli {

// --seq-lens: lengths and distributions of them, beside each other on one axis. Errors: usage, and
// input, of a file of lengths.
base::Result<void> read_lengths(const std::vector<std::string>& typed, study::Axes& axes);

}  // namespace batchscope::cli
