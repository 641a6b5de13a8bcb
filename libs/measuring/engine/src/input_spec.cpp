#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/enum_names.hpp"
#include "batchscope/base/parse_number.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/engine/engine.hpp"
#include "batchscope/engine/tensor.hpp"
#include "input_values.hpp"

namespace batchscope::engine {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

constexpr std::array kSymbols = {base::Name<Symbol>{Symbol::none, ""},
                                 base::Name<Symbol>{Symbol::batch, "B"},
                                 base::Name<Symbol>{Symbol::length, "S"}};

Error usage(std::string_view text, std::string_view problem) {
  return {ErrorKind::usage, fmt::format("'{}': {}", text, problem), "--input",
          "the form is NAME:SHAPE[:TYPE][=VALUES], e.g. input_ids:BxS:int64=0-30521, "
          "attention_mask:BxS:int64=1, x:Bx1024"};
}

std::string unknown_type(std::string_view text) {
  const auto known = base::mapped(kDTypes, [](DType each) { return to_string(each); });
  return fmt::format("unknown type '{}'; known: {}", text, fmt::join(known, ", "));
}

std::optional<Dimension> parse_dimension(std::string_view text) {
  for (const Symbol symbol : {Symbol::batch, Symbol::length}) {
    if (text == to_string(symbol)) return Dimension{0, symbol};
  }
  const auto size = base::parse_number<int64_t>(text);
  return size && *size >= 1 ? std::optional(Dimension{*size}) : std::nullopt;
}

bool is_batch(const Dimension& dimension) {
  return dimension.symbol == Symbol::batch;
}

Result<void> parse_shape(std::string_view text, std::string_view shape, InputSpec& spec) {
  for (const std::string_view part : base::split(shape, 'x')) {
    const auto dimension = parse_dimension(part);
    if (!dimension) {
      return usage(text,
                   fmt::format("'{}' is not a dimension: B, S or a number of at least 1", part));
    }
    spec.dimensions.push_back(*dimension);
  }
  const bool batched = std::any_of(spec.dimensions.begin(), spec.dimensions.end(), is_batch);
  if (!batched) return usage(text, "no dimension is the batch size B");
  return {};
}

// What one sample of one token takes; the whole is judged when it is made.
int64_t size_in_a_sample(const Dimension& dimension) {
  return dimension.symbol == Symbol::none ? dimension.size : 1;
}

Result<void> check_size(std::string_view text, const InputSpec& spec) {
  const auto sizes = base::mapped(spec.dimensions, size_in_a_sample);
  if (elements_of(sizes, element_bytes(spec.dtype))) return {};
  return usage(text, "one sample takes more bytes than 64 bits can count");
}

}  // namespace

std::string_view to_string(Symbol symbol) {
  return base::name_of(kSymbols, symbol);
}

bool names_a_mask(std::string_view input) {
  return base::to_lower(input).find("mask") != std::string::npos;
}

bool is_mask(const InputSpec& input) {
  return names_a_mask(input.name);
}

std::optional<int64_t> fixed_batch(const InputSpec& input) {
  const auto& dimensions = input.dimensions;
  const bool any = std::any_of(dimensions.begin(), dimensions.end(), is_batch);
  if (any || dimensions.empty() || dimensions.front().symbol != Symbol::none) return std::nullopt;
  return dimensions.front().size;
}

Result<InputSpec> parse_input_spec(std::string_view text) {
  const size_t equals = text.find('=');
  const auto parts = base::split(text.substr(0, equals), ':');
  if (parts.size() < 2 || parts.size() > 3) return usage(text, "it needs a name and a shape");
  InputSpec spec;
  spec.name = std::string(base::trim(parts[0]));
  if (spec.name.empty()) return usage(text, "the name is empty");
  if (auto shape = parse_shape(text, parts[1], spec); !shape) return shape.error();
  if (parts.size() == 3) {
    const auto dtype = parse_dtype(parts[2]);
    if (!dtype) return usage(text, unknown_type(parts[2]));
    spec.dtype = *dtype;
  }
  if (auto size = check_size(text, spec); !size) return size.error();
  if (equals != std::string_view::npos) {
    const auto wrong = read_values(text.substr(equals + 1), spec);
    if (wrong) return usage(text, *wrong);
  }
  return spec;
}

Result<std::vector<InputSpec>> parse_input_specs(std::span<const std::string> texts) {
  std::vector<InputSpec> inputs;
  for (const std::string& text : texts) {
    auto input = parse_input_spec(text);
    if (!input) return std::move(input).error();
    inputs.push_back(*std::move(input));
  }
  return inputs;
}

}  // namespace batchscope::engine
