#include "setting.hpp"

#include <algorithm>

namespace batchscope::tune {

bool keeps_step(const std::vector<schema::RunConfig>& grid) {
  const auto as_the_first = [&](auto of) {
    return std::all_of(grid.begin(), grid.end(),
                       [&](const auto& config) { return of(config) == of(grid.front()); });
  };
  return as_the_first(schema::effective_batch) &&
         !as_the_first([](const schema::RunConfig& config) { return config.accumulation; });
}

schema::RunConfig setting_of(const schema::RunConfig& config, bool keeps_step) {
  schema::RunConfig setting = schema::without_batch_size(config);
  if (keeps_step) setting.accumulation = 1;
  return setting;
}

}  // namespace batchscope::tune
