#pragma once

#include <optional>
#include <span>

#include "batchscope/analyze/analyze.hpp"
#include "claims/claims.hpp"
#include "tables/run_view.hpp"

namespace batchscope::analyze {

// Fills what a table says as a whole: the sizes set aside, best sizes, knee, saturation, good
// sizes, the law, the sizes that would settle what is open, and the departure verdict. The rows are
// there.
void fill_smooth_facts(const RunView& view, const GroupData& data, const GroupClaims& claims,
                       const Options& options, findings::Group& group);

// ln(per-sample time of `other` / that of `base`) in the blocks that hold both; of a table of mean
// iterations that is the throughput of `base` over that of `other`.
std::vector<double> per_sample_contrast(const BlockTable& table, std::size_t base,
                                        std::size_t other);
// The same between columns of two tables of one run, by mean iterations.
std::vector<double> per_sample_contrast(const GroupData& base_table, std::size_t base,
                                        const GroupData& other_table, std::size_t other);
// Of some columns the one with the most throughput, by the mean of the contrasts of mean iterations
// with the first of them, within blocks. What is worse than another as it was measured is not the
// best, whatever made it so; of those whose difference does not matter by that (ratio `practical`),
// it is the best with spikes moved in. Nothing of none.
std::optional<std::size_t> best_column(const GroupData& data, std::span<const std::size_t> columns,
                                       double practical);

// Sizes between and beside those whose verdict is open, at most 4, ascending; empty when nothing
// is.
std::vector<int64_t> suggested_controls(const GroupClaims& claims);

// The law of the sizes that do not depart, with the largest error over all sizes when each is left
// out of the fit.
std::optional<findings::LawFit> law_of(const findings::Group& group, const GroupClaims& claims);

}  // namespace batchscope::analyze
