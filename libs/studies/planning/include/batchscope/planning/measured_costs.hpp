#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/findings/summary.hpp"
#include "batchscope/schema/axes.hpp"
#include "batchscope/serving/cost_table.hpp"

namespace batchscope::planning {

// Which of the measured configurations are meant; absent: there must be only one value.
struct CostSelection {
  std::optional<std::string> engine{}, model{}, device{};
  std::optional<schema::Precision> precision{};
  std::optional<int> threads{}, instances{};
  std::optional<schema::Mode> mode{};
  // A mix of lengths as typed, or a fixed length. Both absent: all fixed lengths, as an axis of the
  // table, where nothing else was measured.
  std::optional<std::string> length_mix{};
  std::optional<int64_t> seq_len{};
  // All variables that its visits were made under; empty: those that were made without any.
  std::optional<schema::Environment> environment{};
};

struct MeasuredCosts {
  serving::CostTable table;
  schema::RunConfig config;  // what all of it shares: batch size 0, no lengths
  // Measured, at no length proven slower than a split into smaller batches, and none that failed:
  // those of which it is open may be formed too.
  std::vector<int64_t> good_sizes;
  std::vector<std::string> warnings;
};

// The costs of one model in one setting: the timed iterations of `summary`, which analyze has freed
// of warm-up. A mix of lengths gives times by batch size alone: each is a mean over a cycle of
// batches as they come. `where` names the run in errors. Errors: input (a single batch size,
// several settings that the selection leaves open, or none that it allows, each axis named with its
// values and what picks one; means of series of batches, as `sync` end gives).
base::Result<MeasuredCosts> measured_costs(const findings::Summary& summary,
                                           const CostSelection& selection, std::string_view where);

// The sizes that a batcher may form up to `largest`: the good ones, and those that lie between two
// good ones with nothing dominated between. Ascending. What was measured and is dominated, and what
// has a dominated neighbour, is left out.
std::vector<int64_t> allowed_sizes(const MeasuredCosts& costs, int64_t largest);

}  // namespace batchscope::planning
