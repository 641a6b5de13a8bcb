#include "batchscope/loading/sample_decoder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "batchscope/engine/tensor.hpp"
#include "ppm_image.hpp"

namespace batchscope::loading {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;
using Field = SampleDecoder::Field;

constexpr uint64_t kHashStart = 14695981039346656037U;  // FNV-1a
constexpr uint64_t kHashPrime = 1099511628211U;

bool is_tokens(const Field& field) {
  return field.dtype == engine::DType::int64 && !field.spec.constant &&
         !engine::is_mask(field.spec) &&
         field.spec.dimensions.back().symbol == engine::Symbol::length;
}

bool is_image(const Field& field) {
  return field.dtype == engine::DType::float32 && field.row.size() == 3 && field.row.front() == 3;
}

// Fills the row with the ids of the words; returns how many there are, at most the row's length.
int64_t put_words(std::string_view text, const Field& field, int64_t* ids) {
  int64_t count = 0;
  uint64_t hash = kHashStart;
  bool in_word = false;
  const auto end_word = [&] {
    if (in_word && count < field.elements) ids[count++] = engine::integer_of(field.spec, hash);
    in_word = false;
    hash = kHashStart;
  };
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && static_cast<unsigned char>(c) < 0x80) {
      end_word();
      continue;
    }
    in_word = true;
    const int lower = std::tolower(static_cast<unsigned char>(c));
    hash = (hash ^ static_cast<uint64_t>(lower)) * kHashPrime;
  }
  end_word();
  std::fill(ids + count, ids + field.elements, field.spec.low.value_or(0));
  return count;
}

void put_bytes(std::string_view content, const Field& field, const SampleRow& row) {
  std::size_t at = 0;
  uint64_t hash = kHashStart;
  for (int64_t i = 0; i < field.elements; ++i) {
    const auto byte = static_cast<unsigned char>(content[at]);
    if (++at == content.size()) at = 0;
    if (row.floats != nullptr) row.floats[i] = static_cast<float>(byte) / 255.0F;
    hash = (hash ^ byte) * kHashPrime;
    if (row.integers != nullptr) row.integers[i] = engine::integer_of(field.spec, hash >> 16);
  }
}

// Words stand first, so that a mask is 1 for as many as there are.
void put_mask(const Field& field, int64_t words, const SampleRow& row) {
  for (int64_t i = 0; i < field.elements; ++i) {
    if (row.flags != nullptr) row.flags[i] = i < words;
    if (row.integers != nullptr) row.integers[i] = i < words ? 1 : 0;
    if (row.floats != nullptr) row.floats[i] = i < words ? 1.0F : 0.0F;
  }
}

template <class T>
void fill_if_any(T* values, const Field& field) {
  if (values != nullptr) std::fill_n(values, field.elements, static_cast<T>(*field.spec.constant));
}

void put_constant(const Field& field, const SampleRow& row) {
  fill_if_any(row.floats, field);
  fill_if_any(row.integers, field);
}

Result<Field> field_of(engine::InputSpec spec, std::optional<int64_t> seq_len, bool bool_masks) {
  const auto refuse = [&](std::string what) {
    return Error{ErrorKind::failed, std::move(what), "input " + spec.name,
                 "remove --loader for this model"};
  };
  if (spec.dimensions.empty() || spec.dimensions.front().symbol != engine::Symbol::batch) {
    return refuse("a loader fills inputs whose first dimension is the batch size B");
  }
  Field field;
  for (std::size_t d = 1; d < spec.dimensions.size(); ++d) {
    const engine::Dimension& dimension = spec.dimensions[d];
    if (dimension.symbol == engine::Symbol::batch)
      return refuse("the length of its rows is the batch size");
    if (dimension.symbol == engine::Symbol::length && !seq_len)
      return refuse("the length of the texts is missing");
    field.row.push_back(dimension.symbol == engine::Symbol::length ? *seq_len : dimension.size);
  }
  const auto elements = engine::elements_of(field.row, engine::element_bytes(spec.dtype));
  if (!elements) return refuse("a sample of it takes more bytes than 64 bits can count");
  field.elements = *elements;
  field.dtype =
      spec.dtype == engine::DType::float32 ? engine::DType::float32 : engine::DType::int64;
  if (spec.dtype != field.dtype) {
    return refuse(fmt::format("a loader fills float32 and int64, not {}", to_string(spec.dtype)));
  }
  if (bool_masks && engine::is_mask(spec)) field.dtype = engine::DType::boolean;
  field.spec = std::move(spec);
  return field;
}

}  // namespace

Result<SampleDecoder> SampleDecoder::make(std::vector<engine::InputSpec> inputs,
                                          const std::optional<engine::InputSpec>& target,
                                          std::optional<int64_t> seq_len, bool bool_masks) {
  SampleDecoder decoder;
  decoder.has_target_ = target.has_value();
  if (target) inputs.push_back(*target);
  for (engine::InputSpec& spec : inputs) {
    auto field = field_of(std::move(spec), seq_len, bool_masks);
    if (!field) return std::move(field).error();
    decoder.fields_.push_back(*std::move(field));
  }
  return decoder;
}

Result<void> SampleDecoder::decode(const std::filesystem::path& path, std::string_view content,
                                   int64_t label, std::span<const SampleRow> rows) const {
  if (content.empty()) {
    return Error{ErrorKind::input, "is empty", path.string(), "remove it from --loader's folder"};
  }
  const bool text = path.extension() == ".txt";
  const bool image = path.extension() == ".ppm";
  int64_t words = 0;
  bool has_words = false;
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    const Field& field = fields_[i];
    const bool is_target = has_target_ && i + 1 == fields_.size();
    if (is_target && field.row.empty() && rows[i].integers != nullptr) {
      *rows[i].integers = engine::integer_of(field.spec, static_cast<uint64_t>(label));
    } else if (text && is_tokens(field)) {
      words = put_words(content, field, rows[i].integers);
      has_words = true;
    } else if (image && is_image(field)) {
      const auto parsed = parse_ppm(content, path.string());
      if (!parsed) return parsed.error();
      resize_normalised(*parsed, field.row[1], field.row[2], rows[i].floats);
    } else if (!engine::is_mask(field.spec)) {
      field.spec.constant ? put_constant(field, rows[i]) : put_bytes(content, field, rows[i]);
    }
  }
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    const Field& field = fields_[i];
    if (engine::is_mask(field.spec)) put_mask(field, has_words ? words : field.elements, rows[i]);
  }
  return {};
}

}  // namespace batchscope::loading
