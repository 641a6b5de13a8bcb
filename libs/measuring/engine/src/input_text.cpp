#include "batchscope/engine/input_text.hpp"

#include <fmt/format.h>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/strings.hpp"

namespace batchscope::engine {
namespace {

std::string size_text(const Dimension& dimension) {
  if (dimension.symbol != Symbol::none) return std::string(to_string(dimension.symbol));
  return fmt::format("{}", dimension.size);
}

std::string sizes_text(const std::vector<Dimension>& dimensions, std::string_view between) {
  return base::join(base::mapped(dimensions, size_text), between);
}

std::string values_text(const InputSpec& input) {
  if (input.constant) return fmt::format("={}", *input.constant);
  if (input.low && input.high) return fmt::format("={}-{}", *input.low, *input.high);
  return "";
}

}  // namespace

std::string to_text(const InputSpec& input) {
  std::vector<Dimension> dimensions = input.dimensions;
  if (fixed_batch(input)) dimensions.front() = {0, Symbol::batch};
  const std::string type =
      input.dtype == DType::float32 ? "" : fmt::format(":{}", to_string(input.dtype));
  return fmt::format("{}:{}{}{}", input.name, sizes_text(dimensions, "x"), type,
                     values_text(input));
}

std::vector<std::string> to_texts(std::span<const InputSpec> inputs) {
  std::vector<std::string> texts;
  for (const InputSpec& input : inputs) {
    texts.push_back(to_text(input));
    const auto read = parse_input_spec(texts.back());
    if (!read || to_text(*read) != texts.back()) return {};
  }
  return texts;
}

std::string describe(const InputSpec& input) {
  std::string text = fmt::format("{} {} [{}]", input.name, to_string(input.dtype),
                                 sizes_text(input.dimensions, ", "));
  if (input.constant) return text + fmt::format(" of {}", *input.constant);
  if (input.low && input.high) text += fmt::format(" of {} to {}", *input.low, *input.high);
  return text;
}

}  // namespace batchscope::engine
