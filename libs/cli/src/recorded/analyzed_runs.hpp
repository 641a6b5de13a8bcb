#pragma once

#include <optional>
#include <span>
#include <string>

#include "batchscope/analyze/analyze.hpp"
#include "batchscope/base/result.hpp"

namespace batchscope::cli {

// analyze() of the runs; of one that `tune` wrote also what its search came to, and what that
// recommends, unless the options ask for bounds of their own. `practical` is the floor as it was
// typed; absent: that of the options, and for a search the one that it ran with.
findings::Summary analyzed(std::span<const schema::RunFile> runs, analyze::Options options,
                           std::optional<double> practical);

// --practical as typed, a ratio; absent when it was not. Errors: usage (no ratio, or below 0).
base::Result<std::optional<double>> read_practical(const std::string& text);

}  // namespace batchscope::cli
