#include "paired_collectives.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>

namespace batchscope::advice {
namespace {

using Indices = std::vector<size_t>;

std::map<std::string, Indices> by_name(const TraceSummary& rank) {
  std::map<std::string, Indices> indices;
  for (size_t i = 0; i < rank.collectives.size(); ++i) {
    indices[rank.collectives[i].name].push_back(i);
  }
  return indices;
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

// Of one name, of each rank.
void pair(const std::vector<TraceSummary>& ranks, const std::vector<const Indices*>& of_ranks,
          std::vector<PairedCollective>& pairs) {
  size_t shortest = 0;
  for (size_t rank = 1; rank < ranks.size(); ++rank) {
    if (of_ranks[rank]->size() < of_ranks[shortest]->size()) shortest = rank;
  }
  std::vector<size_t> skipped;
  for (size_t rank = 0; rank < ranks.size(); ++rank) {
    skipped.push_back(
        skipped_of(ranks[rank], *of_ranks[rank], ranks[shortest], *of_ranks[shortest]));
  }
  for (size_t i = 0; i < of_ranks[shortest]->size(); ++i) {
    PairedCollective& one = pairs.emplace_back();
    for (size_t rank = 0; rank < ranks.size(); ++rank) {
      one.push_back((*of_ranks[rank])[i + skipped[rank]]);
    }
  }
}

}  // namespace

std::vector<PairedCollective> paired_collectives(const std::vector<TraceSummary>& ranks) {
  std::vector<std::map<std::string, Indices>> names;
  for (const TraceSummary& rank : ranks) names.push_back(by_name(rank));
  std::vector<PairedCollective> pairs;
  for (const auto& [name, own] : names.front()) {
    std::vector<const Indices*> of_ranks;
    for (const auto& each : names) {
      const auto found = each.find(name);
      if (found != each.end()) of_ranks.push_back(&found->second);
    }
    if (of_ranks.size() == ranks.size()) pair(ranks, of_ranks, pairs);
  }
  std::sort(pairs.begin(), pairs.end());  // by their place in the first rank
  return pairs;
}

}  // namespace batchscope::advice
