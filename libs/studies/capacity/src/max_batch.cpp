#include "batchscope/capacity/max_batch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "batchscope/base/units.hpp"
#include "batchscope/schema/run_config.hpp"

namespace batchscope::capacity {
namespace {

constexpr int kFitsToBelieve = 2, kFailuresToBelieve = 2;
constexpr int kGuessesAHalving = 2;
// Three peaks tell a line from a curve; what it is far beyond them is still a guess.
constexpr std::size_t kPeaksToLeap = 3;
constexpr int64_t kLongestLeap = 6;
// Of the limit: a jump of memory from one size to the next is not that large.
constexpr double kFarBelowLimit = 2.0 / 3;
constexpr int64_t kSoakStep = 32;  // after a failed soak the next size is a 32nd smaller

std::optional<int64_t> smaller(std::optional<int64_t> a, std::optional<int64_t> b) {
  if (!a || !b) return a ? a : b;
  return std::min(*a, *b);
}

}  // namespace

std::string_view to_string(MaxBatchBound bound) {
  switch (bound) {
    case MaxBatchBound::none:
      return "none";
    case MaxBatchBound::out_of_memory:
      return "out-of-memory";
    case MaxBatchBound::ceiling:
      return "ceiling";
    case MaxBatchBound::failed:
      return "failed";
    case MaxBatchBound::at_most:
      return "max-batch-size";
  }
  return "";
}

std::optional<int64_t> MaxBatch::wall() const {
  std::optional<int64_t> failed;
  for (const auto& [size, times] : failures_) {
    if (times >= kFailuresToBelieve) failed = smaller(failed, size);
  }
  return smaller(died_, failed);
}

std::optional<int64_t> MaxBatch::fence() const {
  const int64_t most =
      std::min(options_.at_most.value_or(schema::kLargestSize), schema::kLargestSize);
  return smaller(options_.ceiling, most + 1);
}

std::optional<int64_t> MaxBatch::above() const {
  return smaller(wall(), fence());
}

int64_t MaxBatch::largest() const {
  const int64_t end = above().value_or(std::numeric_limits<int64_t>::max());
  const auto not_below = fits_.lower_bound(end);
  return not_below == fits_.begin() ? 0 : std::prev(not_below)->first;
}

MaxBatchBound MaxBatch::bound() const {
  const auto end = above();
  if (!end) return MaxBatchBound::none;
  if (died_ == end) return MaxBatchBound::out_of_memory;
  if (options_.ceiling == end) return MaxBatchBound::ceiling;
  return wall() == end ? MaxBatchBound::failed : MaxBatchBound::at_most;
}

std::optional<int64_t> MaxBatch::safe_bytes() const {
  if (!options_.limit_bytes) return std::nullopt;
  return static_cast<int64_t>(
      std::floor(static_cast<double>(*options_.limit_bytes) * (1 - options_.margin)));
}

std::optional<int64_t> MaxBatch::guess() const {
  return options_.limit_bytes ? largest_within(peaks_, *options_.limit_bytes) : std::nullopt;
}

std::optional<ProbeAsk> MaxBatch::ask() const {
  if (auto next = ask_search()) return next;
  return ask_soak();
}

std::optional<ProbeAsk> MaxBatch::ask_search() const {
  const int64_t low = largest();
  const int64_t end = *above();
  for (const auto& [size, times] : failures_) {
    if (size <= low || size >= end || times >= kFailuresToBelieve) continue;
    return ProbeAsk{size, ProbePurpose::search,
                    "it failed for another reason than memory: try again"};
  }
  if (end > low + 1) return wall() ? ask_between(low, end) : ask_beyond(low);
  if (low == 0 || fits_.at(low) >= kFitsToBelieve) return std::nullopt;
  return ProbeAsk{low, ProbePurpose::confirm, "the largest size has to fit twice"};
}

ProbeAsk MaxBatch::ask_beyond(int64_t low) const {
  const int64_t last = *fence() - 1;
  if (low == 0)
    return {std::min<int64_t>(1, last), ProbePurpose::search, "the smallest size first"};
  const auto expected = guess();
  if (expected && *expected >= 2 * low && peaks_.size() >= kPeaksToLeap) {
    const int64_t next = std::min({kLongestLeap * low, *expected, last});
    return {next, ProbePurpose::search,
            fmt::format("{} fits: the measured peaks predict that {} fits", low, next)};
  }
  if (!expected || *expected >= 2 * low) {
    const int64_t next = std::min(2 * low, last);
    return {next, ProbePurpose::search, fmt::format("{} fits: try twice the size", low)};
  }
  if (*expected > low) {
    return {std::min(*expected, last), ProbePurpose::search,
            fmt::format("the measured peaks predict that {} is the largest", *expected)};
  }
  const int64_t step = std::min(int64_t{1} << std::min(beyond_, 40), low);
  return {std::min(low + step, last), ProbePurpose::search,
          fmt::format("{} fits: try a larger size", low)};
}

ProbeAsk MaxBatch::ask_between(int64_t low, int64_t end) const {
  const auto expected = guess();
  // Peaks that point to what did not fit are no guide: more than they tell is needed, or less is
  // there.
  if (expected && *expected < end && guesses_ < kGuessesAHalving) {
    return {std::clamp(*expected, low + 1, end - 1), ProbePurpose::search,
            fmt::format("between {} and {}, as the measured peaks predict", low, end)};
  }
  return {low + (end - low) / 2, ProbePurpose::search,
          fmt::format("halfway between {} and {}", low, end)};
}

// The share of the limit that the size above would have taken, at the most: a sample takes no more
// than its share of the largest peak. nullopt: memory is not known to have ended it.
std::optional<double> MaxBatch::share_at_end() const {
  const auto end = above();
  const bool memory = end && (died_ == end || perhaps_ == end || options_.ceiling == end);
  if (!memory || !options_.limit_bytes || peaks_.empty()) return std::nullopt;
  const auto [size, peak] = *peaks_.rbegin();
  const double more = static_cast<double>(*end) / static_cast<double>(size);
  return static_cast<double>(peak) * std::max(more, 1.0) /
         static_cast<double>(*options_.limit_bytes);
}

bool MaxBatch::hit_unknown_limit() const {
  const auto share = share_at_end();
  return share && *share < kFarBelowLimit;
}

// By the peaks where they are known, else the same share of the samples as of the memory.
int64_t MaxBatch::size_with_margin() const {
  const int64_t low = largest();
  const auto most = safe_bytes();
  // What died although it seemed to leave the margin: the limit alone is no guide.
  const auto share_above = share_at_end();
  const bool died_within = share_above && *share_above < 1 - options_.margin;
  if (!most || !expected_peak(peaks_, low) || died_within) {
    const auto share = static_cast<int64_t>(static_cast<double>(low) * (1 - options_.margin));
    return std::min(low, std::max<int64_t>(share, 1));
  }
  int64_t fits = 0, not_known = low + 1;
  while (fits + 1 < not_known) {
    const int64_t middle = fits + (not_known - fits) / 2;
    const bool within = *expected_peak(peaks_, middle) <= static_cast<double>(*most);
    (within ? fits : not_known) = middle;
  }
  return fits;
}

std::optional<ProbeAsk> MaxBatch::ask_soak() const {
  if (safe_ || largest() == 0) return std::nullopt;
  int64_t size = size_with_margin();
  if (options_.soak_ceiling) size = std::min(size, *options_.soak_ceiling - 1);
  if (soak_failed_) {
    size = std::min(size, *soak_failed_ - std::max<int64_t>(1, *soak_failed_ / kSoakStep));
  }
  if (size < 1) return std::nullopt;
  std::string reason =
      soak_failed_
          ? fmt::format("the endurance test of {} failed: try a smaller size", *soak_failed_)
          : std::string("the largest size whose peak leaves the margin free");
  if (const auto most = safe_bytes()) {
    reason += fmt::format(", run longer within {}", base::format_bytes(*most));
  }
  return ProbeAsk{size, ProbePurpose::soak, std::move(reason)};
}

void MaxBatch::tell_soak(int64_t batch_size, const ProbeResult& result) {
  if (result.outcome == ProbeOutcome::fits) {
    safe_ = batch_size;
  } else {
    soak_failed_ = smaller(soak_failed_, batch_size);
  }
}

// What a smaller size shows, or has shown, is better than the same once more.
void MaxBatch::tell_failure(int64_t batch_size, const ProbeResult& result) {
  const bool has_smaller = batch_size > 1;
  failures_[batch_size] += result.perhaps_memory && has_smaller ? kFailuresToBelieve : 1;
  if (result.perhaps_memory) perhaps_ = smaller(perhaps_, batch_size);
}

void MaxBatch::tell(int64_t batch_size, ProbePurpose purpose, const ProbeResult& result) {
  if (purpose == ProbePurpose::soak) return tell_soak(batch_size, result);
  const auto expected = guess();
  if (wall() && purpose == ProbePurpose::search) guesses_ = (guesses_ + 1) % (kGuessesAHalving + 1);
  if (result.outcome == ProbeOutcome::out_of_memory) died_ = smaller(died_, batch_size);
  if (result.outcome == ProbeOutcome::failed) tell_failure(batch_size, result);
  if (result.outcome != ProbeOutcome::fits) return;
  ++fits_[batch_size];
  if (expected && batch_size > *expected) ++beyond_;
  if (!result.peak_bytes || *result.peak_bytes <= 0) return;
  int64_t& peak = peaks_[batch_size];
  peak = std::max(peak, *result.peak_bytes);
}

}  // namespace batchscope::capacity
