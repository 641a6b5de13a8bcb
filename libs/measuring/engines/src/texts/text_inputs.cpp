#include "text_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace batchscope::engines {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

bool names(const engine::InputSpec& spec, std::string_view part) {
  return spec.name.find(part) != std::string::npos;
}

bool is_batch_of_rows(const engine::InputSpec& spec) {
  return spec.dimensions.size() == 2 && spec.dimensions[0].symbol == engine::Symbol::batch &&
         spec.dimensions[1].symbol == engine::Symbol::length;
}

template <class T>
void put(engine::Tensor& tensor, std::size_t at, T value) {
  std::memcpy(tensor.data.data() + at * sizeof(T), &value, sizeof(T));
}

Result<void> check_vocabulary(std::span<const engine::InputSpec> inputs, int64_t vocabulary,
                              const std::string& where) {
  for (const engine::InputSpec& input : inputs) {
    if (engine::is_mask(input) || names(input, "type") || !input.high) continue;
    const int64_t known = *input.high + 1;
    if (known >= vocabulary) continue;
    return Error{ErrorKind::input,
                 fmt::format("has {} tokens, but the model only {} (input {})", vocabulary, known,
                             input.name),
                 where, "use the model's own tokenizer"};
  }
  return {};
}

}  // namespace

Result<void> check_mode(schema::Mode mode) {
  if (mode == schema::Mode::infer) return {};
  return Error{ErrorKind::usage, "a text pipeline does not train", "--mode",
               "remove --mode or --pipeline"};
}

Result<TextInputs::Input> TextInputs::input_of(const engine::InputSpec& spec,
                                               const std::string& where) {
  const auto refuse = [&](std::string what) {
    return Error{ErrorKind::usage, std::move(what), where,
                 "a text pipeline feeds input_ids, attention_mask and token_type_ids, int64 or "
                 "int32 of batch x length"};
  };
  Input input{spec.name, Role::tokens, spec.dtype == engine::DType::int64};
  if (engine::is_mask(spec)) {
    input.role = Role::mask;
  } else if (names(spec, "type")) {
    input.role = Role::zeros;
  } else if (!names(spec, "ids")) {
    return refuse(
        fmt::format("the model has an input '{}', which texts do not provide", spec.name));
  }
  if (spec.dtype != engine::DType::int64 && spec.dtype != engine::DType::int32) {
    return refuse(fmt::format("input '{}' has the type {}", spec.name, to_string(spec.dtype)));
  }
  if (!is_batch_of_rows(spec)) {
    return refuse(fmt::format("input '{}' does not take any batch x any length", spec.name));
  }
  return input;
}

Result<TextInputs> TextInputs::of(std::span<const engine::InputSpec> wanted,
                                  const std::string& where) {
  TextInputs made;
  if (wanted.empty()) {
    made.inputs_ = {{"input_ids", Role::tokens, true}, {"attention_mask", Role::mask, true}};
    return made;
  }
  for (const engine::InputSpec& spec : wanted) {
    auto input = input_of(spec, where);
    if (!input) return std::move(input).error();
    made.inputs_.push_back(*std::move(input));
  }
  const auto tokens = std::count_if(made.inputs_.begin(), made.inputs_.end(),
                                    [](const Input& each) { return each.role == Role::tokens; });
  if (tokens == 1) return made;
  return Error{ErrorKind::usage, fmt::format("the model has {} inputs for tokens", tokens), where,
               "a text pipeline feeds one, whose name ends in ids"};
}

Result<TextInputs> TextInputs::of(std::span<const engine::InputSpec> wanted,
                                  const std::string& where, int64_t vocabulary,
                                  const std::string& path) {
  if (auto known = check_vocabulary(wanted, vocabulary, path); !known) return known.error();
  return of(wanted, where);
}

std::vector<engine::Tensor> TextInputs::make(std::span<const std::vector<int32_t>> rows,
                                             const SubBatch& part, int32_t pad_id) const {
  const auto width = static_cast<std::size_t>(part.padded);
  std::vector<engine::Tensor> tensors;
  for (const Input& input : inputs_) {
    engine::Tensor& tensor = tensors.emplace_back();
    tensor.name = input.name;
    tensor.dtype = input.wide ? engine::DType::int64 : engine::DType::int32;
    tensor.dimensions = {static_cast<int64_t>(part.count), part.padded};
    tensor.data.resize(part.count * width * (input.wide ? sizeof(int64_t) : sizeof(int32_t)));
    if (input.role == Role::zeros) continue;
    for (std::size_t r = 0; r < part.count; ++r) {
      const std::vector<int32_t>& row = rows[part.first + r];
      for (std::size_t t = 0; t < width; ++t) {
        const bool real = t < row.size();
        const int32_t value = input.role == Role::mask ? int32_t{real} : real ? row[t] : pad_id;
        const std::size_t at = r * width + t;
        if (input.wide) {
          put(tensor, at, int64_t{value});
        } else {
          put(tensor, at, value);
        }
      }
    }
  }
  return tensors;
}

}  // namespace batchscope::engines
