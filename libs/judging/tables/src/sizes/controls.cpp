#include <algorithm>
#include <set>

#include "smooth_facts.hpp"

namespace batchscope::tables {
namespace {

constexpr std::size_t kMostControls = 4;

void add_between(const std::vector<int64_t>& sizes, std::size_t lower, std::set<int64_t>& found) {
  if (lower + 1 >= sizes.size()) return;
  const int64_t middle = (sizes[lower] + sizes[lower + 1]) / 2;
  if (middle != sizes[lower]) found.insert(middle);
}

// Around an odd size: between it and its neighbours; beyond the largest, half as much again (at
// least 1); where a neighbour is adjacent there is nothing to add on that side.
void add_around(const std::vector<int64_t>& sizes, std::size_t index, std::set<int64_t>& found) {
  if (index > 0) add_between(sizes, index - 1, found);
  add_between(sizes, index, found);
  if (index == 0) add_between(sizes, 1, found);
  if (index + 1 == sizes.size())
    found.insert(sizes[index] + std::max<int64_t>(1, sizes[index] / 2));
}

}  // namespace

std::vector<int64_t> suggested_controls(const GroupClaims& claims) {
  const Departure& departure = claims.departure;
  const bool settled = departure.outcome == DepartureOutcome::untestable || is_settled(departure);
  std::set<int64_t> found;
  if (settled) return {};
  for (const DepartureSet& set : departure.sets) {
    for (const DepartureMember& member : set.members) {
      add_around(claims.departure_sizes, member.size_index, found);
    }
  }
  if (departure.outcome == DepartureOutcome::no_law) {
    for (std::size_t s = 0; s < claims.departure_sizes.size(); ++s) {
      add_between(claims.departure_sizes, s, found);
    }
  }
  for (const int64_t size : claims.departure_sizes) found.erase(size);
  std::vector<int64_t> sizes(found.begin(), found.end());
  if (sizes.size() > kMostControls) sizes.resize(kMostControls);
  return sizes;
}

}  // namespace batchscope::tables
