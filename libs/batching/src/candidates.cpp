#include "candidates.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "plan_words.hpp"

namespace batchscope::batching {
namespace {

base::Nanoseconds to_time(double seconds) {
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

class Maker {
 public:
  Maker(const MeasuredCosts& costs, const PlanRequest& request)
      : costs_(costs),
        request_(request),
        largest_(std::min(request.max_batch.value_or(costs.table.batch_sizes().back()),
                          costs.table.batch_sizes().back())),
        typical_(median_of(lengths_seen(request))),
        alone_s_(costs.table.mean_s(1, typical_)) {}

  Candidates fixed_timeout() const {
    Candidates made{"fixed-timeout", {}};
    for (const int64_t size : batches()) {
      for (const auto delay : delays({0.25, 1, 4})) {
        made.settings.push_back(make_policy(FixedTimeout{.max_batch = size, .max_delay = delay}));
      }
    }
    return made;
  }

  Candidates take_all() const {
    Candidates made{"take-all", {}};
    for (const int64_t size : batches()) {
      made.settings.push_back(make_policy(TakeAll{.max_batch = size}));
    }
    return made;
  }

  Candidates good_sizes() const {
    Candidates made{"good-sizes", {}};
    const std::vector<int64_t> sizes = allowed_sizes(costs_, largest_);
    if (sizes.empty()) return made;
    for (const auto delay : delays({0, 0.5})) {
      made.settings.push_back(make_policy(GoodSizes{.costs = BatchCosts(costs_.table, sizes.back()),
                                                    .sizes = sizes,
                                                    .max_delay = delay,
                                                    .by_length = lengths_matter()}));
    }
    return made;
  }

  Candidates token_budget() const {
    Candidates made{"token-budget", {}};
    if (costs_.table.lengths().empty()) return made;
    const int64_t longest = costs_.table.lengths().back();
    for (const int64_t budget :
         distinct({typical_ * costs_.table.fastest_batch(typical_, largest_),
                   longest * costs_.table.fastest_batch(longest, largest_)})) {
      for (const auto delay : delays({0, 0.5})) {
        made.settings.push_back(make_policy(TokenBudget{.max_tokens = budget,
                                                        .max_batch = largest_,
                                                        .max_delay = delay,
                                                        .bucket_ends = costs_.table.lengths()}));
      }
    }
    return made;
  }

 private:
  // The largest allowed, and the one of those with the most samples a second. Where requests differ
  // in length, a batch of those that happen to come together is padded the more the larger it is:
  // all measured.
  std::vector<int64_t> batches() const {
    std::vector<int64_t> sizes{costs_.table.fastest_batch(typical_, largest_), largest_};
    if (lengths_matter()) {
      for (const int64_t size : costs_.table.batch_sizes()) {
        sizes.push_back(std::min(size, largest_));
      }
    }
    return distinct(std::move(sizes));
  }

  bool lengths_matter() const {
    const std::size_t measured = costs_.table.lengths().size();
    return measured > 1 || (measured == 1 && distinct(lengths_seen(request_)).size() > 1);
  }

  // Multiples of what one request takes alone, or what the user wants.
  std::vector<base::Nanoseconds> delays(const std::vector<double>& multiples) const {
    if (request_.max_delay_s) return {to_time(*request_.max_delay_s)};
    std::vector<base::Nanoseconds> result;
    for (const double multiple : multiples) result.push_back(to_time(multiple * alone_s_));
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

}  // namespace batchscope::batching
