#include <algorithm>
#include <set>

#include "batchscope/causes/interventions.hpp"
#include "batchscope/tables/environments.hpp"
#include "size_facts.hpp"

namespace batchscope::causes {
namespace {

using tables::GroupData;
using tables::RunView;
using tables::view_run;

constexpr std::size_t kAllOf = 8;

// Odd sizes with their neighbours, and both ends.
std::set<std::size_t> in_question(const TableFacts& table) {
  const std::size_t last = table.sizes.size() - 1;
  std::set<std::size_t> picked{0, last};
  for (std::size_t s = 0; s <= last; ++s) {
    if (table.sizes.size() <= kAllOf) picked.insert(s);
    if (!table.sizes[s].odd) continue;
    picked.insert({s - 1, s, std::min(s + 1, last)});
  }
  return picked;
}

}  // namespace

std::vector<schema::RunConfig> worth_diagnosing(const schema::RunFile& run) {
  std::vector<schema::RunConfig> configs;
  if (run.header.origin == schema::Origin::imported) return configs;
  const RunView view = view_run(run);
  const schema::Environment plain = tables::plainest_environment(run);
  for (const GroupData& group : view.groups) {
    // What one of several processes sees of itself is not what all of them do.
    if (group.key.environment != plain || group.key.instances > 1) continue;
    const TableFacts table = facts_of(view, group);
    for (const std::size_t size : in_question(table)) {
      configs.push_back(table.sizes[size].config->config);
    }
  }
  return configs;
}

}  // namespace batchscope::causes
