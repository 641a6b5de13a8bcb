#include "unlike.hpp"

#include "batchscope/compare/alike.hpp"
#include "batchscope/tune/tune.hpp"

namespace batchscope::tune {

void leave_out_unlike(const schema::RunFile& run, Search& search) {
  const auto& grid = search.grid();
  const schema::RunConfig& usual = grid[default_point(grid, run.header.plan.current_batch_size)];
  for (std::size_t point = 0; point < grid.size(); ++point) {
    if (auto unlike = compare::why_unlike(run, grid[point], usual)) {
      search.leave_out(point, std::move(unlike->message));
    }
  }
}

}  // namespace batchscope::tune
