#pragma once

#include <vector>

#include "batchscope/timing/warmups.hpp"
#include "series.hpp"

namespace batchscope::timing {

// Marks what looks settled only because its visits do not reach as far as those of another
// configuration of the model, which show something settle. `series`, `needs`: by configuration.
void mark_unreached(const schema::RunFile& run, const std::vector<std::vector<Series>>& series,
                    const Warmups& known, std::vector<stats::WarmupNeed>& needs);

}  // namespace batchscope::timing
