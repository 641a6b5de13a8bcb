#include "good_sizes.hpp"

#include <algorithm>
#include <cmath>

#include "batchscope/stats/descriptive.hpp"
#include "batchscope/tables/set_aside.hpp"

namespace batchscope::tables {
namespace {

// The columns of the sizes that may be chosen.
BlockTable without_set_aside(const BlockTable& all, const findings::Group& group) {
  BlockTable table{{}, std::vector<std::vector<double>>(all.blocks.size())};
  for (std::size_t s = 0; s < all.columns(); ++s) {
    if (is_set_aside(group.set_aside, all.sizes[s])) continue;
    table.sizes.push_back(all.sizes[s]);
    for (std::size_t k = 0; k < all.blocks.size(); ++k) {
      table.blocks[k].push_back(all.blocks[k][s]);
    }
  }
  return table;
}

// Relative times of the columns, by contrasts with the first within blocks; empty where one shares
// no block with it.
std::vector<double> relative_times(const BlockTable& table) {
  std::vector<double> times;
  for (std::size_t s = 0; s < table.columns(); ++s) {
    const std::vector<double> logs = paired_contrast(table, 0, s);
    if (logs.empty()) return {};
    times.push_back(std::exp(stats::mean(logs)));
  }
  return times;
}

// One slow visit in a dozen is told from no mode of the size; two are.
std::vector<double> but_one_accident(std::vector<double> excess) {
  constexpr std::size_t kOneInSoMany = 12;
  if (excess.size() < kOneInSoMany) return excess;
  excess.erase(std::max_element(excess.begin(), excess.end()));
  return excess;
}

class Tested {
 public:
  Tested(const GroupData& data, const findings::Group& group, const TestOptions& options)
      : calm_(without_set_aside(data.calm_work, group)),
        work_(without_set_aside(data.work, group)),
        times_(relative_times(calm_)),
        options_(options) {}

  bool is_good(int64_t size) const {
    if (times_.empty() || size > kLargestBatch) return false;
    const auto split = cheapest_split(calm_.sizes, times_, size);
    if (!split) return true;  // there is no other way
    const auto index = static_cast<std::size_t>(
        std::find(calm_.sizes.begin(), calm_.sizes.end(), size) - calm_.sizes.begin());
    return is_below(excess_over_split(calm_, index, *split), kCalmMethod) &&
           is_below(but_one_accident(excess_over_split(work_, index, *split)),
                    stats::Method::student_t);
  }

 private:
  // Shown to waste less than the margin: with spikes moved in, and as it was measured.
  bool is_below(const std::vector<double>& excess, stats::Method method) const {
    const auto estimate = stats::estimate_mean(excess, method);
    return estimate && stats::upper_bound(*estimate, options_.level) < std::log1p(options_.delta);
  }

  BlockTable calm_, work_;
  std::vector<double> times_;
  const TestOptions& options_;
};

bool is_dominated(const GroupClaims& claims, int64_t size) {
  return std::any_of(
      claims.dominance.begin(), claims.dominance.end(), [&](const TestedDominance& tested) {
        return tested.proven && claims.dominance_sizes[tested.claim.size_index] == size;
      });
}

}  // namespace

void fill_good_sizes(const RunView& view, const GroupData& data, const GroupClaims& claims,
                     const TestOptions& options, findings::Group& group) {
  const Tested tested(data, group, options);
  for (const findings::ConfigRow& row : group.rows) {
    const int64_t size = row.config.shape.batch_size;
    if (is_set_aside(group.set_aside, size) || is_dominated(claims, size)) continue;
    const bool good = view.repeated && data.settled && tested.is_good(size);
    (good ? group.good_sizes : group.untested_sizes).push_back(size);
  }
}

}  // namespace batchscope::tables
