#pragma once

#include <cstddef>
#include <optional>

#include "batchscope/schema/run_file.hpp"
#include "batchscope/timing/warmups.hpp"
#include "batchscope/tune/outcome.hpp"

namespace batchscope::tune {

// What the visits of a point showed that took no part in choosing it: the rate is work over time,
// samples over the visits' mean iterations, whose mean is geometric as in tables; the latency is
// the bounded statistic of all their iterations. Absent: it has no such visits.
std::optional<Figures> fresh_figures(const schema::RunFile& run, std::size_t point,
                                     const Goal& goal, const timing::Warmups& warmups);

}  // namespace batchscope::tune
