#pragma once

#include "batchscope/findings/summary.hpp"
#include "batchscope/tables/run_view.hpp"
#include "batchscope/tables/test_options.hpp"

namespace batchscope::tables {

// The column that expected time, efficiency and slowdown refer to: the smallest size, which is
// batch 1 where that was measured.
inline constexpr std::size_t kBaseColumn = 0;

// Key, label, base and rows of a table (docs/design/method.md, section 2); verdicts are left open.
// All intervals by Student's t at options.level: of ln visit medians for times, of the contrasts
// within blocks for efficiency, slowdown and jump.
findings::Group scaling_table(const GroupData& data, const TestOptions& options);

// The half-width (ln units) of the widest contrast of a size against the base, or of the only size
// by itself, by options.method: what a run's target is compared with. nullopt where none has an
// interval.
std::optional<double> widest_contrast(const GroupData& data, const TestOptions& options);

}  // namespace batchscope::tables
