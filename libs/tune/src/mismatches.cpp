#include "mismatches.hpp"

#include "batchscope/compare/equivalence.hpp"
#include "batchscope/tune/tune.hpp"

namespace batchscope::tune {

void leave_out_mismatches(const schema::RunFile& run, Search& search) {
  const auto& grid = search.grid();
  const schema::RunConfig& usual = grid[default_point(grid, run.header.plan.current_batch_size)];
  for (std::size_t point = 0; point < grid.size(); ++point) {
    if (auto mismatch = compare::find_mismatch(run, grid[point], usual)) {
      search.leave_out(point, std::move(mismatch->message));
    }
  }
}

}  // namespace batchscope::tune
