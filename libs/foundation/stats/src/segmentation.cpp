#include "segmentation.hpp"

#include <algorithm>
#include <limits>

#include "batchscope/stats/descriptive.hpp"

namespace batchscope::stats {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The least cost of the values before each place, and the last cut that it has.
struct Best {
  double cost = kInfinity;
  std::size_t last_cut = 0;
};

// A place that may be the last cut before an end.
struct Candidate {
  std::size_t cut = 0;
  double before = 0;        // the least cost of the values before it
  double cost = kInfinity;  // with those from it to the end at hand
  std::size_t last = std::numeric_limits<std::size_t>::max();  // the last end that may need it
};

}  // namespace

PartSums::PartSums(std::span<const double> values)
    : offset_(values.empty() ? 0 : median(values)),
      sum_{0},
      sum_of_squares_{0},
      sum_by_place_{0},
      reciprocal_{0} {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double value = values[i] - offset_;
    sum_.push_back(sum_.back() + value);
    sum_of_squares_.push_back(sum_of_squares_.back() + value * value);
    sum_by_place_.push_back(sum_by_place_.back() + value * static_cast<double>(i));
    reciprocal_.push_back(1 / static_cast<double>(i + 1));
  }
}

double PartSums::mean(std::size_t begin, std::size_t end) const {
  return offset_ + (sum_[end] - sum_[begin]) / static_cast<double>(end - begin);
}

double PartSums::squares_from_line(std::size_t begin, std::size_t end) const {
  const auto n = static_cast<double>(end - begin);
  const double middle = (static_cast<double>(begin) + static_cast<double>(end - 1)) / 2;
  const double spread = n * (n * n - 1) / 12;  // squares of places from their middle
  const double joint =
      sum_by_place_[end] - sum_by_place_[begin] - middle * (sum_[end] - sum_[begin]);
  return std::max(0.0, squares(begin, end) - joint * joint / spread);
}

std::vector<std::size_t> best_cuts(const PartSums& sums, std::size_t count, double penalty,
                                   std::size_t fewest) {
  std::vector<Best> best(count + 1);
  best[0].cost = -penalty;
  std::vector<Candidate> candidates{{0, -penalty}};
  for (std::size_t end = fewest; end <= count; ++end) {
    Best least;
    for (Candidate& candidate : candidates) {
      candidate.cost = candidate.before + sums.squares(candidate.cut, end);
      if (candidate.cost + penalty < least.cost) least = {candidate.cost + penalty, candidate.cut};
    }
    best[end] = least;
    // What is worse than a cut here stays so wherever one may be, which is `fewest` values on.
    for (Candidate& candidate : candidates) {
      if (candidate.cost > least.cost) candidate.last = std::min(candidate.last, end + fewest - 1);
    }
    std::erase_if(candidates, [&](const Candidate& candidate) { return candidate.last <= end; });
    const std::size_t next = end + 1 - fewest;
    if (next >= fewest) candidates.push_back({next, best[next].cost});
  }
  std::vector<std::size_t> cuts;
  for (std::size_t cut = best[count].last_cut; cut > 0; cut = best[cut].last_cut) {
    cuts.push_back(cut);
  }
  std::reverse(cuts.begin(), cuts.end());
  return cuts;
}

}  // namespace batchscope::stats
