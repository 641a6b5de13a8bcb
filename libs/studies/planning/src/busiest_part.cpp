#include "busiest_part.hpp"

namespace batchscope::planning {

RecordedArrivals busiest_part(const RecordedArrivals& recorded, std::size_t count) {
  const std::vector<double>& times = recorded.times_s;
  if (times.size() <= count) return recorded;
  std::size_t first = 0;
  const auto span = [&](std::size_t from) { return times[from + count - 1] - times[from]; };
  for (std::size_t from = 1; from + count <= times.size(); ++from) {
    if (span(from) < span(first)) first = from;
  }
  if (span(first) <= 0) return recorded;
  const auto cut = [&](const auto& all) {
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
    return std::decay_t<decltype(all)>(begin, begin + static_cast<std::ptrdiff_t>(count));
  };
  RecordedArrivals part{cut(times), {}};
  if (!recorded.tokens.empty()) part.tokens = cut(recorded.tokens);
  return part;
}

}  // namespace batchscope::planning
