#include "series/block_history.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

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

struct Ramp {
  std::size_t begin = 0, end = 0;  // the last block before it, and the first after it
  double before = 0, after = 0, squares = 0;
};

double value_at(std::size_t block, const Ramp& ramp) {
  const auto length = static_cast<double>(ramp.end - ramp.begin);
  const double along = (static_cast<double>(block) - static_cast<double>(ramp.begin)) / length;
  return ramp.before + std::clamp(along, 0.0, 1.0) * (ramp.after - ramp.before);
}

// No more than `most`: those are not added up to the end.
double squares_left_by(const Ramp& ramp, std::span<const double> values, double most) {
  double sum = 0;
  for (std::size_t i = 0; i < values.size() && sum < most; ++i) {
    const double left = values[i] - value_at(i, ramp);
    sum += left * left;
  }
  return sum;
}

std::vector<double> left_by(const Ramp& ramp, std::span<const double> values) {
  std::vector<double> left;
  for (std::size_t i = 0; i < values.size(); ++i) left.push_back(values[i] - value_at(i, ramp));
  return left;
}

// The levels are those of at least three blocks.
Ramp best_ramp(std::span<const double> values) {
  constexpr std::size_t kLevel = 3, kShortest = 4;
  Ramp best{0, 0, 0, 0, std::numeric_limits<double>::infinity()};
  for (std::size_t begin = kLevel - 1; begin + kShortest + kLevel <= values.size(); ++begin) {
    for (std::size_t end = begin + kShortest; end + kLevel <= values.size(); ++end) {
      Ramp ramp{begin, end, stats::mean(values.first(begin + 1)), stats::mean(values.subspan(end)),
                0};
      ramp.squares = squares_left_by(ramp, values, best.squares);
      if (ramp.squares < best.squares) best = ramp;
    }
  }
  return best;
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
  trend.from_step = blocks.front().first_step;
  trend.to_step = blocks.back().first_step;
  trend.first = centre - slope * middle;
  trend.change = slope * (n - 1);
  trend.squares = squares(residuals);
  trend.step_squares = least_step_squares(values);
  trend.error = (n - 1) * std::sqrt(trend.squares / (n - 2) / spread * inflation(residuals));
  return trend;
}

Trend slope_of(std::span<const BlockHistory::Block> blocks) {
  constexpr double kFarBetter = 0.5, kLeastToSearch = 0.02;
  constexpr std::size_t kEnd = 3;
  const Trend line = trend_of(blocks);
  std::vector<double> values;
  for (const auto& block : blocks) values.push_back(block.value);
  const std::span<const double> all = values;
  // The search takes long, and mostly there is nothing to find.
  if (stats::mean(all.last(kEnd)) - stats::mean(all.first(kEnd)) < kLeastToSearch) return line;
  const Ramp ramp = best_ramp(values);
  if (ramp.squares > kFarBetter * std::min(line.squares, line.step_squares)) return line;
  const std::vector<double> left = left_by(ramp, values);
  const auto before = static_cast<double>(ramp.begin + 1),
             after = static_cast<double>(values.size() - ramp.end),
             free = static_cast<double>(values.size()) - 4;
  Trend trend = line;
  trend.first = ramp.before;
  trend.change = ramp.after - ramp.before;
  trend.squares = ramp.squares;
  trend.error = std::sqrt(ramp.squares / free * inflation(left) * (1 / before + 1 / after));
  trend.from_step = blocks[ramp.begin].first_step;
  trend.to_step = blocks[ramp.end].first_step;
  return trend;
}

}  // namespace batchscope::training
