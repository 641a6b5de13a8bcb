#include "texts_by_name.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <utility>

#include "batchscope/base/parse_number.hpp"

namespace batchscope::schema {
namespace {

template <class T>
bool read_number(const Field& field, std::string_view text, void* to) {
  const auto value = base::parse_number<T>(text);
  if (value) *static_cast<T*>(field.place(to)) = *value;
  return value.has_value();
}

template <class T>
const T& held_in(const void* value) {
  return *static_cast<const T*>(value);
}

bool read_flag(const Field& field, std::string_view text, void* to) {
  if (text.size() != 1 || (text[0] != '0' && text[0] != '1')) return false;
  *static_cast<bool*>(field.place(to)) = text[0] == '1';
  return true;
}

}  // namespace

bool set_from_text(const Field& field, std::string_view text, void* to) {
  switch (field.kind) {
    case FieldKind::boolean:
      return read_flag(field, text, to);
    case FieldKind::int32:
      return read_number<int32_t>(field, text, to);
    case FieldKind::int64:
      return read_number<int64_t>(field, text, to);
    case FieldKind::number:
      return read_number<double>(field, text, to);
    case FieldKind::text:
      *static_cast<std::string*>(field.place(to)) = text;
      return true;
    case FieldKind::word:
      return field.words->read(text, field.place(to));
    default:
      std::abort();  // a table that was not made for this
  }
}

std::optional<std::string> text_of(const Field& field, const void* of) {
  const void* const value = field.value(of);
  if (value == nullptr) return std::nullopt;
  switch (field.kind) {
    case FieldKind::boolean:
      return held_in<bool>(value) ? "1" : "0";
    case FieldKind::int32:
      return fmt::to_string(held_in<int32_t>(value));
    case FieldKind::int64:
      return fmt::to_string(held_in<int64_t>(value));
    case FieldKind::number:
      return fmt::format("{}", held_in<double>(value));
    case FieldKind::text:
      return held_in<std::string>(value);
    case FieldKind::word:
      return std::string(field.words->text(value));
    default:
      std::abort();
  }
}

bool take_from_texts(const Table& table, void* to, TextsByName& texts) {
  TextsByName left = texts;
  for (const Field& field : table.fields) {
    const auto found = left.find(std::string(field.name));
    if (found == left.end() || !set_from_text(field, found->second, to)) {
      if (field.rules.required) return false;
      continue;
    }
    if (text_of(field, to) == found->second) left.erase(found);
  }
  texts = std::move(left);
  return true;
}

void put_into_texts(const Table& table, const void* of, TextsByName& texts) {
  for (const Field& field : table.fields) {
    if (auto text = text_of(field, of)) {
      texts.try_emplace(std::string(field.name), *std::move(text));
    }
  }
}

}  // namespace batchscope::schema
