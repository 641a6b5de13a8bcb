#include "batchscope/pipeline/padding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace batchscope::pipeline {

int64_t Padding::length(int64_t longest, int64_t most) const {
  if (to_max) return most;
  // A model that takes 500 tokens takes no 504.
  return std::max(longest, std::min(most, (longest + multiple - 1) / multiple * multiple));
}

base::Result<Padding> parse_padding(std::string_view text) {
  constexpr std::string_view kMultiple = "multiple:";
  constexpr int64_t kLargest = 4096;
  if (text == "longest") return Padding{};
  if (text == "max") return Padding{1, true};
  if (text.starts_with(kMultiple)) {
    const std::string_view digits = text.substr(kMultiple.size());
    Padding padding;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), padding.multiple);
    const bool whole = error == std::errc() && end == digits.data() + digits.size();
    if (whole && padding.multiple >= 1 && padding.multiple <= kLargest) return padding;
  }
  return base::Error{base::ErrorKind::usage, fmt::format("'{}' is no way of padding", text),
                     base::Subject::padding, "use longest, multiple:8 or max"};
}

std::vector<Part> split_by_budget(std::span<const int64_t> lengths, const Padding& padding,
                                  int64_t most, int64_t budget) {
  std::vector<Part> parts;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const int64_t alone = padding.length(lengths[i], most);
    if (!parts.empty()) {
      Part& part = parts.back();
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

}  // namespace batchscope::pipeline
