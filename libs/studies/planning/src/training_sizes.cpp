#include "batchscope/planning/training_sizes.hpp"

#include <algorithm>
#include <memory>

#include "batchscope/planning/measured_costs.hpp"

namespace batchscope::planning {
namespace {

int64_t most_tokens(const serving::CostTable& table) {
  int64_t most = 0;
  for (const int64_t size : table.batch_sizes()) {
    for (const int64_t length : table.lengths()) {
      const bool is_measured = table.match(size, length) == serving::Match::measured;
      if (is_measured) most = std::max(most, size * length);
    }
  }
  return most > 0 ? most : serving::Limits().max_tokens;
}

}  // namespace

base::Result<serving::BatchSamplerOptions> training_sizes(const findings::Summary& summary,
                                                          std::string_view where) {
  CostSelection selection;
  for (const findings::Group& group : summary.groups) {
    if (group.key.mode == schema::Mode::train) selection.mode = schema::Mode::train;
  }
  const auto costs = measured_costs(summary, selection, where);
  if (!costs) return costs.error();
  const auto table = std::make_shared<const serving::CostTable>(costs->table);
  serving::BatchSamplerOptions options;
  options.max_batch = table->batch_sizes().back();
  options.max_tokens = most_tokens(*table);
  options.sizes = allowed_sizes(*costs, options.max_batch);
  options.cost = [table](int64_t count, int64_t longest) { return table->mean_s(count, longest); };
  return options;
}

}  // namespace batchscope::planning
