#include "batchscope/study/length_mix.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/engines/sorted_cycle.hpp"
#include "batchscope/stats/rng.hpp"

namespace batchscope::study {
namespace {

constexpr int64_t kFewestSamples = 32;
constexpr uint64_t kLengthStream = 0x1e4974;  // of the run's seed; far from the numbers of blocks

double normal_below(double z) {
  return 0.5 * std::erfc(-z / std::sqrt(2.0));
}

// The share of lengths below `x`, before anything is cut off.
double share_below(const LengthMix& mix, double x) {
  switch (mix.law) {
    case LengthMix::Law::lognormal:
      return normal_below(std::log(x / mix.centre) / mix.spread);
    case LengthMix::Law::normal:
      return normal_below((x - mix.centre) / mix.spread);
    case LengthMix::Law::uniform:
    case LengthMix::Law::observed:  // counted, never asked
      break;
  }
  return x / (static_cast<double>(mix.high) + 0.5);
}

// The smallest length that, with all smaller ones, holds the share `probability`. A length stands
// for what rounds to it, so that all of `low` to `high` weigh as they should, the ends too.
int64_t quantile(const LengthMix& mix, double probability) {
  const double least = share_below(mix, static_cast<double>(mix.low) - 0.5);
  const double most = share_below(mix, static_cast<double>(mix.high) + 0.5);
  const double wanted = least + probability * (most - least);
  int64_t low = mix.low, high = mix.high;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    const bool enough = share_below(mix, static_cast<double>(middle) + 0.5) >= wanted;
    (enough ? high : low) = enough ? middle : middle + 1;
  }
  return low;
}

int64_t observed_quantile(const std::vector<int64_t>& ascending, double probability) {
  const auto rank = static_cast<size_t>(probability * static_cast<double>(ascending.size()));
  return ascending[std::min(rank, ascending.size() - 1)];
}

std::vector<int64_t> quantiles(const LengthMix& mix, int64_t n) {
  std::vector<int64_t> lengths;
  lengths.reserve(static_cast<size_t>(n));
  for (int64_t i = 0; i < n; ++i) {
    const double probability = (static_cast<double>(i) + 0.5) / static_cast<double>(n);
    lengths.push_back(mix.law == LengthMix::Law::observed
                          ? observed_quantile(mix.observed, probability)
                          : quantile(mix, probability));
  }
  return lengths;
}

void shuffle(std::vector<int64_t>& lengths, uint64_t seed, int64_t batch_size) {
  stats::Rng rng(
      stats::mix_seed(stats::mix_seed(seed, kLengthStream), static_cast<uint64_t>(batch_size)));
  rng.shuffle(std::span<int64_t>(lengths));
}

}  // namespace

LengthMix observed_mix(std::string text, std::vector<int64_t> lengths) {
  LengthMix mix;
  mix.text = std::move(text);
  mix.law = LengthMix::Law::observed;
  mix.observed = std::move(lengths);
  std::sort(mix.observed.begin(), mix.observed.end());
  mix.low = mix.observed.front();
  mix.high = mix.observed.back();
  return mix;
}

std::vector<int64_t> cycle_lengths(const LengthMix& mix, int64_t batch_size, uint64_t seed) {
  const int64_t n = (kFewestSamples + batch_size - 1) / batch_size * batch_size;
  std::vector<int64_t> lengths = quantiles(mix, n);
  shuffle(lengths, seed, batch_size);
  return lengths;
}

int64_t texts_of(const LengthMix& mix) {
  constexpr int64_t kTextsOfALaw = 10'000;
  return mix.law == LengthMix::Law::observed ? std::ssize(mix.observed) : kTextsOfALaw;
}

std::vector<int64_t> lengths_for(const LengthMix& mix, const schema::RunConfig& config,
                                 uint64_t seed) {
  const int64_t batch = schema::effective_batch(config);
  if (!config.pipeline || config.pipeline->sort_window == 0) {
    return cycle_lengths(mix, batch, seed);
  }
  const int64_t total = texts_of(mix);
  std::vector<int64_t> seen = quantiles(mix, std::min<int64_t>(total, engines::kMostTextsSeen));
  shuffle(seen, seed, 0);
  const auto cycle = engines::sorted_cycle(seen, {total, config.pipeline->sort_window, batch});
  return base::mapped(cycle, [&](std::size_t place) { return seen[place]; });
}

}  // namespace batchscope::study
