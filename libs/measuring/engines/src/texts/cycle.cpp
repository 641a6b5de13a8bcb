#include "cycle.hpp"

#include <algorithm>
#include <numeric>
#include <random>

#include "batchscope/base/algorithms.hpp"

namespace batchscope::engines {
namespace {

int64_t texts_of_a_cycle(int64_t batch_size) {
  constexpr int64_t kFewest = 32, kFewestBatches = 2;
  const int64_t batches = (kFewest + batch_size - 1) / batch_size;
  return batch_size * std::max(batches, kFewestBatches);
}

std::vector<const std::string*> by_length(const std::vector<std::string>& texts) {
  auto order = base::mapped(texts, [](const std::string& text) { return &text; });
  const auto shorter = [](const auto* a, const auto* b) { return a->size() < b->size(); };
  std::stable_sort(order.begin(), order.end(), shorter);
  return order;
}

std::vector<std::string> shuffled_quantiles(const std::vector<std::string>& texts, std::size_t n,
                                            uint64_t seed) {
  const auto order = by_length(texts);
  std::vector<std::string> chosen;
  chosen.reserve(n);
  for (std::size_t i = 0; i < n; ++i)
    chosen.push_back(*order[(2 * i + 1) * order.size() / (2 * n)]);
  // std::shuffle is not the same everywhere.
  std::mt19937_64 generator(seed);
  for (std::size_t i = n - 1; i > 0; --i) std::swap(chosen[i], chosen[generator() % (i + 1)]);
  return chosen;
}

}  // namespace

std::vector<std::string> fair_sample(const std::vector<std::string>& texts, std::size_t most,
                                     uint64_t seed) {
  return shuffled_quantiles(texts, std::min(texts.size(), most), seed);
}

std::vector<std::string> choose_texts(const std::vector<std::string>& texts, int64_t batch_size,
                                      uint64_t seed) {
  return shuffled_quantiles(texts, static_cast<std::size_t>(texts_of_a_cycle(batch_size)),
                            seed + static_cast<uint64_t>(batch_size));
}

void sort_by_length(std::vector<std::string>& texts, std::span<const int64_t> lengths) {
  std::vector<std::size_t> order(texts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return lengths[a] > lengths[b]; });
  std::vector<std::string> sorted;
  sorted.reserve(texts.size());
  for (const std::size_t index : order) sorted.push_back(std::move(texts[index]));
  texts = std::move(sorted);
}

}  // namespace batchscope::engines
