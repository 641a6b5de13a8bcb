#include "candidates.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "plan_words.hpp"

namespace batchscope::planning {
namespace {

base::Nanoseconds to_delay(double seconds) {
  constexpr double kMostNs = 9e18;  // more than that 64 bits do not hold
  return base::Nanoseconds(static_cast<int64_t>(std::llround(std::min(seconds * 1e9, kMostNs))));
}

// Sorted, without repeats.
std::vector<int64_t> distinct(std::vector<int64_t> values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

int64_t median_of(std::vector<int64_t> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// At most kMostSizes of them: those next to points that lie evenly over ln of the size.
std::vector<int64_t> thinned(const std::vector<int64_t>& ascending) {
  constexpr std::size_t kMostSizes = 10;
  if (ascending.size() <= kMostSizes) return ascending;
  const auto logarithm = [](int64_t size) { return std::log(static_cast<double>(size)); };
  const double first = logarithm(ascending.front()), last = logarithm(ascending.back());
  std::vector<int64_t> kept;
  for (std::size_t i = 0; i < kMostSizes; ++i) {
    const double at = first + (last - first) * static_cast<double>(i) / (kMostSizes - 1);
    kept.push_back(*std::min_element(ascending.begin(), ascending.end(), [&](int64_t a, int64_t b) {
      return std::abs(logarithm(a) - at) < std::abs(logarithm(b) - at);
    }));
  }
  return distinct(std::move(kept));
}

class Maker {
 public:
  Maker(const MeasuredCosts& costs, const PlanRequest& request)
      : costs_(costs),
        request_(request),
        largest_(std::min(request.max_batch.value_or(costs.table.batch_sizes().back()),
                          costs.table.batch_sizes().back())),
        typical_(median_of(lengths_seen(request))),
        alone_s_(costs.table.mean_s(1, typical_)) {}

  // One by one there is nothing to wait for: that is take-all with a largest batch of 1.
  Candidates fixed_timeout() const {
    Candidates made{"fixed-timeout", {}};
    for (const int64_t size : batches()) {
      if (size == 1) continue;
      Delays& alike = made.settings.emplace_back();
      for (const auto delay : delays({0.25, 1, 4})) {
        alike.push_back(make_policy(serving::FixedTimeout{.max_batch = size, .max_delay = delay}));
      }
    }
    return made;
  }

  Candidates take_all() const {
    Candidates made{"take-all", {}};
    for (const int64_t size : batches()) {
      made.settings.push_back({make_policy(serving::TakeAll{.max_batch = size})});
    }
    return made;
  }

  Candidates good_sizes() const {
    Candidates made{"good-sizes", {}};
    std::vector<int64_t> before;
    for (const int64_t largest : batches()) {
      std::vector<int64_t> sizes = allowed_sizes(costs_, largest);
      if (sizes.empty() || sizes == before) continue;
      made.settings.push_back(good_sizes_of(sizes));
      before = std::move(sizes);
    }
    return made;
  }

  Candidates token_budget() const {
    Candidates made{"token-budget", {}};
    if (costs_.table.lengths().empty()) return made;
    const int64_t longest = costs_.table.lengths().back();
    std::vector<int64_t> budgets{longest * costs_.table.fastest_batch(longest, largest_)};
    for (const int64_t size : batches()) budgets.push_back(typical_ * size);
    for (const int64_t budget : distinct(std::move(budgets))) {
      Delays& alike = made.settings.emplace_back();
      for (const auto delay : delays({0, 0.5})) {
        alike.push_back(make_policy(serving::TokenBudget{.max_tokens = budget,
                                                         .max_batch = largest_,
                                                         .max_delay = delay,
                                                         .bucket_ends = costs_.table.lengths()}));
      }
    }
    return made;
  }

 private:
  Delays good_sizes_of(const std::vector<int64_t>& sizes) const {
    Delays alike;
    const bool alone = sizes.back() == 1;
    for (const auto delay : alone ? std::vector{base::Nanoseconds(0)} : delays({0, 0.5})) {
      alike.push_back(
          make_policy(serving::GoodSizes{.costs = serving::BatchCosts(costs_.table, sizes.back()),
                                         .sizes = sizes,
                                         .max_delay = delay,
                                         .by_length = lengths_matter()}));
    }
    return alike;
  }

  // The largest allowed, the one with the most samples a second, and the measured ones below: a
  // smaller largest batch makes nobody wait for a long one, which counts where large batches save
  // little, and pads less where requests differ in length. Of many, some, evenly over ln of the
  // size, with the smallest.
  std::vector<int64_t> batches() const {
    const std::vector<int64_t>& measured = costs_.table.batch_sizes();
    std::vector<int64_t> below;
    for (const int64_t size : measured) {
      if (size <= largest_) below.push_back(size);
    }
    std::vector<int64_t> sizes = thinned(below);
    sizes.push_back(costs_.table.fastest_batch(typical_, largest_));
    sizes.push_back(largest_);
    return distinct(std::move(sizes));
  }

  bool lengths_matter() const {
    const std::size_t measured = costs_.table.lengths().size();
    return measured > 1 || (measured == 1 && distinct(lengths_seen(request_)).size() > 1);
  }

  // Multiples of what one request takes alone, or what the user wants.
  std::vector<base::Nanoseconds> delays(const std::vector<double>& multiples) const {
    if (request_.max_delay_s) return {to_delay(*request_.max_delay_s)};
    std::vector<base::Nanoseconds> result;
    for (const double multiple : multiples) result.push_back(to_delay(multiple * alone_s_));
    return result;
  }

  const MeasuredCosts& costs_;
  const PlanRequest& request_;
  int64_t largest_;
  int64_t typical_;
  double alone_s_;
};

}  // namespace

std::vector<Candidates> candidates_for(const MeasuredCosts& costs, const PlanRequest& request) {
  const Maker maker(costs, request);
  std::vector<Candidates> all = {maker.fixed_timeout(), maker.take_all(), maker.good_sizes(),
                                 maker.token_budget()};
  std::erase_if(all, [](const Candidates& candidates) { return candidates.settings.empty(); });
  return all;
}

}  // namespace batchscope::planning
