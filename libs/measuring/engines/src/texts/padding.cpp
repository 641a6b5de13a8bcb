#include "batchscope/engines/padding.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace batchscope::engines {

using schema::Padding;

base::Result<void> check_padding(const Padding& padding) {
  if (padding.to() != Padding::To::other) return {};
  return base::Error{base::ErrorKind::usage,
                     fmt::format("'{}' is not a way to pad", padding.text()), "--padding",
                     "use longest, multiple:8 or max"};
}

int64_t padded_length(const Padding& padding, int64_t longest, int64_t most) {
  if (padding.to() == Padding::To::max) return most;
  const int64_t multiple = padding.multiple();
  // A model that takes 500 tokens takes no 504.
  return std::max(longest, std::min(most, (longest + multiple - 1) / multiple * multiple));
}

std::vector<SubBatch> split_by_budget(std::span<const int64_t> lengths, const Padding& padding,
                                      int64_t most, int64_t budget) {
  std::vector<SubBatch> parts;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const int64_t alone = padded_length(padding, lengths[i], most);
    if (!parts.empty()) {
      SubBatch& part = parts.back();
      const int64_t together = std::max(part.padded, alone);
      if (budget == 0 || together * static_cast<int64_t>(part.count + 1) <= budget) {
        ++part.count;
        part.padded = together;
        continue;
      }
    }
    parts.push_back({i, 1, alone});
  }
  return parts;
}

}  // namespace batchscope::engines
