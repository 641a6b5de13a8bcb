#pragma once

#include <optional>

#include "batchscope/stats/mean_estimate.hpp"
#include "batchscope/tables/run_view.hpp"

namespace batchscope::tables {

// The mean of repeats that an imported table states with their spread and number (at least 2):
// se = std / sqrt(repeats) with repeats - 1 degrees of freedom, in ns. Repeats within one process
// are not independent, so that it describes and proves nothing. Absent for other configurations,
// and for those that the table repeats: their rows tell more.
std::optional<stats::MeanEstimate> reported_mean(const ConfigData& config);

// ln(time of `other` / time of `base`), both reported: se and degrees of freedom by Welch (1947) on
// relative errors, which ln turns into absolute ones while they are small.
std::optional<stats::MeanEstimate> reported_contrast(const ConfigData& base,
                                                     const ConfigData& other);

}  // namespace batchscope::tables
