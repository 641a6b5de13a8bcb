#pragma once

#include <optional>
#include <string>
#include <vector>

#include "batchscope/base/log.hpp"
#include "batchscope/base/result.hpp"
#include "output.hpp"

namespace batchscope::cli {

// What the verbs that read run files share.

// Errors: usage (the output exists, or is one of the inputs).
base::Result<void> check_outputs(const Output& output, const std::vector<std::string>& inputs);
void warn_of_repeats(const std::vector<std::string>& paths, const base::Log& log);

// --practical as typed, a ratio; absent when it was not. Errors: usage (no ratio, or below 0).
base::Result<std::optional<double>> read_practical(const std::string& text);

}  // namespace batchscope::cli
