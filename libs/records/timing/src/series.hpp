#pragma once

#include <span>
#include <vector>

#include "batchscope/schema/run_file.hpp"
#include "batchscope/stats/warmup.hpp"
#include "batchscope/timing/use.hpp"

namespace batchscope::timing {

// Times of iterations, warm-up first, as far as a warm-up is looked for; ns.
using Series = std::vector<double>;

// By configuration of the run: of its visits of one use that show iterations, one an instance.
std::vector<std::vector<Series>> series_of(const schema::RunFile& run, Use use);
// Those of one of them, or of several that equal it.
std::vector<Series> series_of(const schema::RunFile& run, const schema::RunConfig& config, Use use);

std::vector<std::span<const double>> spans(const std::vector<Series>& series);

// The need of one warm-up; what has not ended counts as the longer of two that are as long.
const stats::WarmupNeed& longer(const stats::WarmupNeed& a, const stats::WarmupNeed& b);

// Nobody may look for a warm-up in it: the user fixed it, or there are no visits.
bool has_none(const schema::RunFile& run);

}  // namespace batchscope::timing
