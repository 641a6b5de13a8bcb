#include "series/block_history.hpp"

#include <algorithm>
#include <cmath>

#include "batchscope/stats/descriptive.hpp"

namespace batchscope::training {
namespace {

constexpr std::size_t kMostBlocks = 64;

double squares(std::span<const double> values) {
  return values.size() < 2 ? 0 : stats::variance(values) * static_cast<double>(values.size() - 1);
}

double least_step_squares(std::span<const double> values) {
  double least = squares(values);
  for (std::size_t cut = 1; cut < values.size(); ++cut) {
    least = std::min(least, squares(values.first(cut)) + squares(values.subspan(cut)));
  }
  return least;
}

// By how much the variance of a sum is larger than of independent values.
double inflation(std::span<const double> residuals) {
  double joint = 0, own = 0;
  for (std::size_t i = 0; i < residuals.size(); ++i) {
    own += residuals[i] * residuals[i];
    if (i > 0) joint += residuals[i] * residuals[i - 1];
  }
  const double r = own > 0 ? std::clamp(joint / own, 0.0, 0.9) : 0;
  return (1 + r) / (1 - r);
}

}  // namespace

bool BlockHistory::add(int64_t step, double value) {
  if (pending_.empty()) pending_step_ = step;
  pending_.push_back(value);
  if (pending_.size() < smallest_) return false;
  const Block part{pending_step_, stats::median(pending_)};
  pending_.clear();
  return add_part(part);
}

bool BlockHistory::add_part(const Block& part) {
  if (parts_ == 0) open_ = {part.first_step, 0};
  open_.value += part.value / static_cast<double>(parts_in_block_);
  if (++parts_ < parts_in_block_) return false;
  blocks_.push_back(open_);
  parts_ = 0;
  if (blocks_.size() < kMostBlocks) return true;
  for (std::size_t i = 0; i < kMostBlocks / 2; ++i) {
    const Block &earlier = blocks_[2 * i], &later = blocks_[2 * i + 1];
    blocks_[i] = {earlier.first_step, earlier.value / 2 + later.value / 2};
  }
  blocks_.resize(kMostBlocks / 2);
  parts_in_block_ *= 2;
  return true;
}

void BlockHistory::clear() {
  parts_in_block_ = 1;
  pending_.clear();
  parts_ = 0;
  blocks_.clear();
}

Trend trend_of(std::span<const BlockHistory::Block> blocks) {
  const auto n = static_cast<double>(blocks.size());
  std::vector<double> values;
  for (const auto& block : blocks) values.push_back(block.value);
  const double middle = (n - 1) / 2, centre = stats::mean(values);
  double joint = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    joint += (static_cast<double>(i) - middle) * (values[i] - centre);
  }
  const double spread = n * (n * n - 1) / 12;
  const double slope = joint / spread;
  std::vector<double> residuals;
  for (std::size_t i = 0; i < values.size(); ++i) {
    residuals.push_back(values[i] - centre - slope * (static_cast<double>(i) - middle));
  }
  Trend trend;
  trend.first = centre - slope * middle;
  trend.change = slope * (n - 1);
  trend.squares = squares(residuals);
  trend.step_squares = least_step_squares(values);
  trend.error = (n - 1) * std::sqrt(trend.squares / (n - 2) / spread * inflation(residuals));
  return trend;
}

}  // namespace batchscope::training
