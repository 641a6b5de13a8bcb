#pragma once

#include <span>

#include "batchscope/analyze/analyze.hpp"

namespace batchscope::cli {

// analyze() of the runs; of one that `tune` wrote also what its search came to, and what that
// recommends, unless the options ask for bounds of their own.
schema::Summary analyzed(std::span<const schema::RunFile> runs, analyze::Options options);

}  // namespace batchscope::cli
