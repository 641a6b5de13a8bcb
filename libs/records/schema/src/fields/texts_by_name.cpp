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

bool read_flag(const Field& field, std::string_view text, void* to) {
  if (text.size() != 1 || (text[0] != '0' && text[0] != '1')) return false;
  *static_cast<bool*>(field.place(to)) = text[0] == '1';
  return true;
}

bool read_text(const Field& field, const std::string& text, void* to) {
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

template <class T>
const T& held_in(const void* value) {
  return *static_cast<const T*>(value);
}

std::string text_of(const Field& field, const void* value) {
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

}  // namespace

bool take_from_texts(const Table& table, void* to, TextsByName& texts) {
  TextsByName left = texts;
  for (const Field& field : table.fields) {
    const auto found = left.find(std::string(field.name));
    if (found == left.end() || !read_text(field, found->second, to)) {
      if (field.rules.required) return false;
      continue;
    }
    if (text_of(field, field.value(to)) == found->second) left.erase(found);
  }
  texts = std::move(left);
  return true;
}

void put_into_texts(const Table& table, const void* of, TextsByName& texts) {
  for (const Field& field : table.fields) {
    if (const void* value = field.value(of)) {
      texts.try_emplace(std::string(field.name), text_of(field, value));
    }
  }
}

}  // namespace batchscope::schema
