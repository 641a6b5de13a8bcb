#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "batchscope/base/strings.hpp"
#include "batchscope/engine/engine.hpp"

namespace batchscope::engine {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

constexpr std::array<std::string_view, 7> kTypes{"float32", "float64", "float16", "bfloat16",
                                                 "int64",   "int32",   "bool"};

Error usage(std::string_view text, std::string_view problem) {
  return {ErrorKind::usage, fmt::format("'{}': {}", text, problem), "--input",
          "the form is NAME:SHAPE[:TYPE][=VALUES], e.g. input_ids:BxS:int64=0-30521, "
          "attention_mask:BxS:int64=1, x:Bx1024"};
}

template <class T>
std::optional<T> number(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool is_integer(std::string_view dtype) {
  return dtype == "int64" || dtype == "int32" || dtype == "bool";
}

std::optional<Dimension> parse_dimension(std::string_view text) {
  if (text == "B" || text == "S") return Dimension{0, std::string(text)};
  const auto size = number<int64_t>(text);
  if (!size || *size < 1) return std::nullopt;
  return Dimension{*size, ""};
}

// "LOW-HIGH"; the first '-' that is not a sign.
std::optional<std::pair<int64_t, int64_t>> parse_integer_range(std::string_view text) {
  const size_t dash = text.find('-', 1);
  if (dash == std::string_view::npos) return std::nullopt;
  const auto low = number<int64_t>(text.substr(0, dash));
  const auto high = number<int64_t>(text.substr(dash + 1));
  if (!low || !high || *low > *high) return std::nullopt;
  return std::pair(*low, *high);
}

Result<void> parse_values(std::string_view text, std::string_view values, InputSpec& spec) {
  if (const auto range = parse_integer_range(values)) {
    if (!is_integer(spec.dtype)) return usage(text, "a range is for integer types");
    spec.low = range->first;
    spec.high = range->second;
    return {};
  }
  spec.constant = number<double>(values);
  if (!spec.constant || !std::isfinite(*spec.constant)) {
    return usage(text, fmt::format("'{}' is neither a number nor a range LOW-HIGH", values));
  }
  if (is_integer(spec.dtype) && *spec.constant != std::floor(*spec.constant)) {
    return usage(text, fmt::format("{} holds whole numbers", spec.dtype));
  }
  return {};
}

Result<void> parse_shape(std::string_view text, std::string_view shape, InputSpec& spec) {
  for (const std::string_view part : base::split(shape, 'x')) {
    const auto dimension = parse_dimension(part);
    if (!dimension) {
      return usage(text, fmt::format("'{}' is no dimension: B, S or a number of at least 1", part));
    }
    spec.dimensions.push_back(*dimension);
  }
  const bool batched = std::any_of(spec.dimensions.begin(), spec.dimensions.end(),
                                   [](const Dimension& d) { return d.symbol == "B"; });
  if (!batched) return usage(text, "no dimension is the batch size B");
  return {};
}

}  // namespace

bool is_mask(const InputSpec& input) {
  return base::to_lower(input.name).find("mask") != std::string::npos;
}

std::optional<int64_t> fixed_batch(const InputSpec& input) {
  const auto& dimensions = input.dimensions;
  const bool any = std::any_of(dimensions.begin(), dimensions.end(),
                               [](const Dimension& each) { return each.symbol == "B"; });
  if (any || dimensions.empty() || !dimensions.front().symbol.empty()) return std::nullopt;
  return dimensions.front().size;
}

Result<InputSpec> parse_input_spec(std::string_view text) {
  const size_t equals = text.find('=');
  const auto parts = base::split(text.substr(0, equals), ':');
  if (parts.size() < 2 || parts.size() > 3) return usage(text, "a name and a shape are needed");
  InputSpec spec;
  spec.name = std::string(base::trim(parts[0]));
  if (spec.name.empty()) return usage(text, "the name is empty");
  if (auto shape = parse_shape(text, parts[1], spec); !shape) return shape.error();
  if (parts.size() == 3) spec.dtype = std::string(parts[2]);
  if (std::find(kTypes.begin(), kTypes.end(), spec.dtype) == kTypes.end()) {
    return usage(text,
                 fmt::format("unknown type '{}'; known: {}", spec.dtype, fmt::join(kTypes, ", ")));
  }
  if (equals != std::string_view::npos) {
    if (auto values = parse_values(text, text.substr(equals + 1), spec); !values) {
      return values.error();
    }
  }
  return spec;
}

}  // namespace batchscope::engine
