#include "paired_collectives.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace batchscope::advice {
namespace {

using Indices = std::vector<size_t>;

struct OfRank {
  size_t rank = 0;
  Indices indices;
};

// By group and name, the ranks that have such.
using Recorded = std::map<std::pair<std::string, std::string>, std::vector<OfRank>>;

Recorded recorded_by(const std::vector<TraceSummary>& ranks) {
  Recorded all;
  for (size_t rank = 0; rank < ranks.size(); ++rank) {
    const auto& collectives = ranks[rank].collectives;
    for (size_t i = 0; i < collectives.size(); ++i) {
      std::vector<OfRank>& of_ranks = all[{collectives[i].group, collectives[i].name}];
      if (of_ranks.empty() || of_ranks.back().rank != rank) of_ranks.push_back({rank, {}});
      of_ranks.back().indices.push_back(i);
    }
  }
  return all;
}

// How far the ends are from being a fixed time apart, in all.
double spread(const TraceSummary& rank, const Indices& own, size_t skipped,
              const TraceSummary& shortest, const Indices& others) {
  std::vector<double> apart;
  for (size_t i = 0; i < others.size(); ++i) {
    apart.push_back(static_cast<double>(rank.collectives[own[i + skipped]].end_ns -
                                        shortest.collectives[others[i]].end_ns));
  }
  std::vector<double> sorted = apart;
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  double sum = 0;
  for (const double each : apart) sum += std::abs(each - *middle);
  return sum;
}

// Of those that are too many, how many lie at the beginning: all or none.
size_t skipped_of(const TraceSummary& rank, const Indices& own, const TraceSummary& shortest,
                  const Indices& others) {
  const size_t more = own.size() - others.size();
  if (more == 0) return 0;
  const bool is_front =
      spread(rank, own, more, shortest, others) < spread(rank, own, 0, shortest, others);
  return is_front ? more : 0;
}

// Of one group and name.
void pair(const std::vector<TraceSummary>& ranks, const std::vector<OfRank>& of_ranks,
          std::vector<PairedCollective>& pairs) {
  const OfRank& shortest = *std::min_element(
      of_ranks.begin(), of_ranks.end(),
      [](const OfRank& a, const OfRank& b) { return a.indices.size() < b.indices.size(); });
  std::vector<size_t> skipped;
  for (const OfRank& each : of_ranks) {
    skipped.push_back(
        skipped_of(ranks[each.rank], each.indices, ranks[shortest.rank], shortest.indices));
  }
  for (size_t i = 0; i < shortest.indices.size(); ++i) {
    PairedCollective& one = pairs.emplace_back();
    for (size_t k = 0; k < of_ranks.size(); ++k) {
      one.members.push_back({of_ranks[k].rank, of_ranks[k].indices[i + skipped[k]]});
    }
  }
}

}  // namespace

std::vector<PairedCollective> paired_collectives(const std::vector<TraceSummary>& ranks) {
  std::vector<PairedCollective> pairs;
  for (const auto& [key, of_ranks] : recorded_by(ranks)) {
    const bool is_printed = !key.first.empty();
    const bool has_all = of_ranks.size() == ranks.size();
    if (of_ranks.size() >= 2 && (is_printed || has_all)) pair(ranks, of_ranks, pairs);
  }
  // By their place in the first rank that takes part.
  std::stable_sort(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) {
    return a.members.front().index < b.members.front().index;
  });
  return pairs;
}

}  // namespace batchscope::advice
