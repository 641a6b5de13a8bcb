#include <algorithm>

#include "batchscope/charts/time_line.hpp"

namespace batchscope::charts {

std::vector<attribution::TimeParts> time_columns(std::span<const attribution::Piece> pieces,
                                                 int64_t start_ns, int64_t end_ns, size_t count) {
  std::vector<attribution::TimeParts> columns(count);
  if (count == 0 || end_ns <= start_ns) return columns;
  // In two, since the wall times a column may not fit.
  const uint64_t wall = static_cast<uint64_t>(end_ns) - static_cast<uint64_t>(start_ns);
  const auto edge = [&](uint64_t column) {
    const uint64_t after = wall / count * column + wall % count * column / count;
    return static_cast<int64_t>(static_cast<uint64_t>(start_ns) + after);
  };
  auto piece = std::upper_bound(pieces.begin(), pieces.end(), start_ns,
                                [](int64_t at, const auto& each) { return at < each.end_ns; });
  for (size_t column = 0; column < count; ++column) {
    const int64_t from = edge(column);
    const int64_t to = edge(column + 1);
    for (; piece != pieces.end() && piece->start_ns < to; ++piece) {
      const int64_t begin = std::max(from, piece->start_ns);
      const int64_t end = std::min(to, piece->end_ns);
      columns[column][piece->part] += std::max<int64_t>(0, end - begin);
      if (piece->end_ns > to) break;
    }
  }
  return columns;
}

}  // namespace batchscope::charts
