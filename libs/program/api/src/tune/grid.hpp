#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "batchscope/api/tune.hpp"
#include "batchscope/base/result.hpp"
#include "batchscope/study/job.hpp"

namespace batchscope::api {

// The axes of the grid, with the defaults of `tune`. Errors: usage, when no batch size is left.
base::Result<void> fill_axes(TuneOptions& options);

// Whether its points are alternatives for one thing to do. Errors: usage.
base::Result<void> check_one_work(const study::Axes& axes);

// Takes out what is above `at_most`. Errors: usage, when nothing is left.
base::Result<void> bound_batch_sizes(std::optional<int64_t> at_most, std::vector<int64_t>& sizes);

}  // namespace batchscope::api
