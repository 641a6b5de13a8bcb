#include "batchscope/engines/sorted_cycle.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace batchscope::engines {
namespace {

using Places = std::vector<std::size_t>;

// More would be cut no finer: texts of neighbouring batches are of one length by then.
constexpr int64_t kMostBatches = 4096;

int64_t rounded_ratio(int64_t a, int64_t b) {
  return std::max<int64_t>((2 * a + b) / (2 * b), 1);
}

int64_t ceiled_ratio(int64_t a, int64_t b) {
  return (a + b - 1) / b;
}

struct Layout {
  int64_t windows = 1;
  int64_t batches = 1;  // of each window
};

Layout layout_of(int64_t seen, const SortedWork& work) {
  Layout layout;
  if (work.window >= work.total) {
    layout.batches = std::min(rounded_ratio(work.total, work.batch_size), kMostBatches);
    return layout;
  }
  layout.batches = std::min(ceiled_ratio(work.window, work.batch_size), kMostBatches);
  layout.windows = rounded_ratio(seen, layout.batches * work.batch_size);
  return layout;
}

// All batches, one after the other. Where they hold more texts than were seen, or fewer, some stand
// in them twice or not at all, evenly.
Places all_batches(std::span<const int64_t> lengths, const SortedWork& work) {
  const auto longer = [&](std::size_t a, std::size_t b) { return lengths[a] > lengths[b]; };
  const auto seen = std::ssize(lengths);
  const Layout layout = layout_of(seen, work);
  Places come(lengths.size());
  std::iota(come.begin(), come.end(), std::size_t{0});
  if (layout.windows == 1 && work.window > 1) std::stable_sort(come.begin(), come.end(), longer);
  const int64_t window = layout.batches * work.batch_size;
  const int64_t n = layout.windows * window;
  Places places;
  places.reserve(static_cast<std::size_t>(n));
  for (int64_t i = 0; i < n; ++i) {
    places.push_back(come[static_cast<std::size_t>((2 * i + 1) * seen / (2 * n))]);
  }
  if (work.window == 1) return places;
  for (auto first = places.begin(); first != places.end(); first += window) {
    std::stable_sort(first, first + window, longer);
  }
  return places;
}

// What a batch costs, in shares of the mean of all: its tokens, those with padding, and these times
// the length, as attention takes.
constexpr std::size_t kSums = 3;
constexpr std::array<double, kSums> kWeights = {1, 1, 0.01};
using Cost = std::array<double, kSums>;

std::vector<Cost> costs_of(std::span<const int64_t> lengths, const Places& places,
                           std::size_t batch_size) {
  std::vector<Cost> costs;
  Cost total{};
  for (std::size_t first = 0; first < places.size(); first += batch_size) {
    double tokens = 0, longest = 0;
    for (std::size_t i = 0; i < batch_size; ++i) {
      const auto length = static_cast<double>(lengths[places[first + i]]);
      tokens += length;
      longest = std::max(longest, length);
    }
    const Cost cost = {tokens / static_cast<double>(batch_size), longest, longest * longest};
    for (std::size_t s = 0; s < kSums; ++s) total[s] += cost[s];
    costs.push_back(cost);
  }
  for (Cost& cost : costs) {
    for (std::size_t s = 0; s < kSums; ++s) {
      cost[s] *= total[s] > 0 ? static_cast<double>(costs.size()) / total[s] : 0;
    }
  }
  return costs;
}

// Some of all batches, ascending. It is fair where their mean costs are those of all.
class Sample {
 public:
  // Evenly spread to begin with, from the share `start` of the first distance on; then each gives
  // way to whichever batch between its neighbours makes the sample fairer, until none does.
  Sample(const std::vector<Cost>& costs, std::size_t batches, double start) : costs_(costs) {
    constexpr int kMostRounds = 12;
    const double distance = static_cast<double>(costs.size()) / static_cast<double>(batches);
    for (std::size_t i = 0; i < batches; ++i) {
      chosen_.push_back(static_cast<std::size_t>((static_cast<double>(i) + start) * distance));
      add(sum_, costs[chosen_.back()], 1);
    }
    error_ = error_of(sum_);
    for (int round = 0; round < kMostRounds && improve(); ++round) {
    }
  }

  double error() const { return error_; }
  const Places& chosen() const { return chosen_; }

 private:
  static void add(Cost& to, const Cost& cost, double times) {
    for (std::size_t s = 0; s < kSums; ++s) to[s] += times * cost[s];
  }
  double error_of(const Cost& sum) const {
    double squares = 0;
    for (std::size_t s = 0; s < kSums; ++s) {
      const double off = sum[s] / static_cast<double>(chosen_.size()) - 1;
      squares += kWeights[s] * off * off;
    }
    return std::sqrt(squares);
  }
  bool improve() {
    bool better = false;
    for (std::size_t i = 0; i < chosen_.size(); ++i) better |= improve(i);
    return better;
  }
  bool improve(std::size_t i) {
    const std::size_t first = i == 0 ? 0 : chosen_[i - 1] + 1;
    const std::size_t end = i + 1 == chosen_.size() ? costs_.size() : chosen_[i + 1];
    Cost others = sum_;
    add(others, costs_[chosen_[i]], -1);
    bool better = false;
    for (std::size_t candidate = first; candidate < end; ++candidate) {
      Cost sum = others;
      add(sum, costs_[candidate], 1);
      const double error = error_of(sum);
      if (error >= error_) continue;
      error_ = error;
      sum_ = sum;
      chosen_[i] = candidate;
      better = true;
    }
    return better;
  }

  const std::vector<Cost>& costs_;
  Places chosen_;
  Cost sum_{};
  double error_ = 0;
};

// As few as are fair. Where a search from one start ends is not always the best, so there are some.
Places fairest_batches(const std::vector<Cost>& costs, std::size_t fewest) {
  constexpr std::size_t kMost = 16;
  constexpr int kStarts = 16;
  constexpr double kFair = 0.01;
  const std::size_t most = std::min(std::max(kMost, 2 * fewest), costs.size());
  Places chosen;
  double error = std::numeric_limits<double>::infinity();
  for (std::size_t batches = std::min(fewest, most); batches <= most; ++batches) {
    for (int start = 0; start < kStarts && error > kFair; ++start) {
      const Sample next(costs, batches, (start + 0.5) / kStarts);
      if (next.error() >= error) continue;
      error = next.error();
      chosen = next.chosen();
    }
  }
  return chosen;
}

}  // namespace

std::vector<std::size_t> sorted_cycle(std::span<const int64_t> lengths, const SortedWork& work) {
  constexpr int64_t kFewestTexts = 32, kFewestAlike = 2, kFewestSorted = 4;
  const auto batch_size = static_cast<std::size_t>(work.batch_size);
  const Places places = all_batches(lengths, work);
  const std::vector<Cost> costs = costs_of(lengths, places, batch_size);
  Places order(costs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return costs[a][1] > costs[b][1]; });
  std::vector<Cost> sorted;
  sorted.reserve(costs.size());
  for (const std::size_t batch : order) sorted.push_back(costs[batch]);
  const int64_t batches = work.window > work.batch_size ? kFewestSorted : kFewestAlike;
  const int64_t fewest = std::max(ceiled_ratio(kFewestTexts, work.batch_size), batches);
  Places cycle;
  for (const std::size_t chosen : fairest_batches(sorted, static_cast<std::size_t>(fewest))) {
    const auto first = places.begin() + static_cast<std::ptrdiff_t>(order[chosen] * batch_size);
    cycle.insert(cycle.end(), first, first + work.batch_size);
  }
  return cycle;
}

}  // namespace batchscope::engines
