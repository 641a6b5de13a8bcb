#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "batchscope/findings/summary.hpp"
#include "batchscope/tables/run_view.hpp"

namespace batchscope::tables {

// ln(per-sample time of `other` / that of `base`) in the blocks that hold both; of a table of mean
// iterations that is the throughput of `base` over that of `other`.
std::vector<double> per_sample_contrast(const BlockTable& table, std::size_t base,
                                        std::size_t other);
// The same between columns of two tables of one run, by mean iterations.
std::vector<double> per_sample_contrast(const GroupData& base_table, std::size_t base,
                                        const GroupData& other_table, std::size_t other);
// By how much the latter may be off for what their visits have not seen.
timing::Unseen unseen_contrast(const GroupData& base_table, std::size_t base,
                               const GroupData& other_table, std::size_t other);
// Of some columns the one with the most throughput, by the mean of the contrasts of mean iterations
// with the first of them, within blocks. What is worse than another as it was measured is not the
// best, whatever made it so; of those whose difference does not matter by that (ratio `practical`),
// it is the best with spikes moved in. Nothing of none.
std::optional<std::size_t> best_column(const GroupData& data, std::span<const std::size_t> columns,
                                       double practical);

// By how much throughput grows from one row of a table to a larger one, a doubling of the batch.
double gain_per_doubling(const findings::ConfigRow& from, const findings::ConfigRow& to);

// Less than this much more throughput for twice the batch is not worth the wait.
inline constexpr double kSaturationGain = 0.05;

}  // namespace batchscope::tables
