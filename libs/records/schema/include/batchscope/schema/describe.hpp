#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "batchscope/schema/fields.hpp"
#include "batchscope/schema/open_enum.hpp"
#include "batchscope/schema/search_settings.hpp"
#include "batchscope/schema/text_pipeline.hpp"

// Makes rows of a table out of members of a struct: field<&MeasurementPlan::blocks>("blocks",
// {.least = 0}). For the sources that hold tables alone.
namespace batchscope::schema {
namespace detail {

template <class Member>
struct MemberOf;
template <class S, class V>
struct MemberOf<V S::*> {
  using Struct = S;
  using Value = V;
};

// The way to a member, or to a member of a member.
template <auto First, auto... Rest>
struct Path {
  using Struct = typename MemberOf<decltype(First)>::Struct;
  static auto& in(auto& of) {
    if constexpr (sizeof...(Rest) == 0) {
      return of.*First;
    } else {
      return Path<Rest...>::in(of.*First);
    }
  }
  using Value = std::remove_cvref_t<decltype(in(std::declval<Struct&>()))>;
};

template <class T>
struct Unwrapped {
  using type = T;
};
template <class T>
struct Unwrapped<std::optional<T>> {
  using type = T;
};

template <class T>
inline constexpr bool is_open_enum = false;
template <class T>
inline constexpr bool is_open_enum<OpenEnum<T>> = true;

// What stands in the file as a word, though it is no enum.
template <class T>
inline constexpr bool is_padding = std::is_same_v<T, Padding>;

template <class T>
inline constexpr bool is_vector = false;
template <class T>
inline constexpr bool is_vector<std::vector<T>> = true;

template <class T>
constexpr FieldKind kind_of() {
  if constexpr (std::is_same_v<T, bool>)
    return FieldKind::boolean;
  else if constexpr (std::is_same_v<T, int32_t>)
    return FieldKind::int32;
  else if constexpr (std::is_same_v<T, int64_t>)
    return FieldKind::int64;
  else if constexpr (std::is_same_v<T, uint64_t>)
    return FieldKind::uint64;
  else if constexpr (std::is_same_v<T, double>)
    return FieldKind::number;
  else if constexpr (std::is_same_v<T, std::string>)
    return FieldKind::text;
  else if constexpr (std::is_enum_v<T> || is_open_enum<T> || is_padding<T>)
    return FieldKind::word;
  else if constexpr (std::is_same_v<T, std::vector<int64_t>>)
    return FieldKind::int64s;
  else if constexpr (std::is_same_v<T, std::vector<double>>)
    return FieldKind::numbers;
  else if constexpr (std::is_same_v<T, std::vector<std::string>>)
    return FieldKind::texts;
  else if constexpr (std::is_same_v<T, std::map<std::string, std::string>>)
    return FieldKind::text_by_name;
  else if constexpr (std::is_same_v<T, std::map<std::string, int64_t>>)
    return FieldKind::int64_by_name;
  else if constexpr (is_vector<T>)
    return FieldKind::objects;
  else
    return FieldKind::object;
}

template <class T>
struct WordsOf {
  static std::string_view name(int i) { return to_string(static_cast<T>(i)); }
  static std::string_view text(const void* value) {
    return to_string(*static_cast<const T*>(value));
  }
  static bool read(std::string_view text, void* value) {
    int i = 0;
    while (name(i) != "?" && name(i) != text) ++i;
    if (name(i) == "?") return false;
    *static_cast<T*>(value) = static_cast<T>(i);
    return true;
  }
};
template <class T>
struct WordsOf<OpenEnum<T>> {
  static std::string_view name(int i) {
    return i < static_cast<int>(T::other) ? to_string(static_cast<T>(i)) : "?";
  }
  static std::string_view text(const void* value) {
    return static_cast<const OpenEnum<T>*>(value)->text();
  }
  static bool read(std::string_view text, void* value) {
    *static_cast<OpenEnum<T>*>(value) = OpenEnum<T>(text);
    return true;
  }
};
template <>  // any percentile: no list of choices
struct WordsOf<OpenEnum<LatencyStatistic>> {
  static std::string_view name(int) { return "?"; }
  static std::string_view text(const void* value) {
    return static_cast<const OpenEnum<LatencyStatistic>*>(value)->text();
  }
  static bool read(std::string_view text, void* value) {
    *static_cast<OpenEnum<LatencyStatistic>*>(value) = OpenEnum<LatencyStatistic>(text);
    return true;
  }
};
template <>
struct WordsOf<Padding> {
  static std::string_view name(int) { return "?"; }
  static std::string_view text(const void* value) {
    return static_cast<const Padding*>(value)->text();
  }
  static bool read(std::string_view text, void* value) {
    *static_cast<Padding*>(value) = Padding(text);
    return true;
  }
};
template <class T>
inline constexpr Words kWords{WordsOf<T>::text, WordsOf<T>::read, WordsOf<T>::name,
                              is_open_enum<T> || is_padding<T>};

template <class T>
inline constexpr Elements kElements{
    [](void* vector) { static_cast<std::vector<T>*>(vector)->clear(); },
    [](void* vector) -> void* { return &static_cast<std::vector<T>*>(vector)->emplace_back(); },
    [](const void* vector) { return static_cast<const std::vector<T>*>(vector)->size(); },
    [](const void* vector, std::size_t i) -> const void* {
      return &(*static_cast<const std::vector<T>*>(vector))[i];
    }};

template <class T>
constexpr const Words* words_of() {
  if constexpr (kind_of<T>() == FieldKind::word) return &kWords<T>;
  return nullptr;
}

template <class T>
constexpr const Elements* elements_of() {
  if constexpr (kind_of<T>() == FieldKind::objects) return &kElements<typename T::value_type>;
  return nullptr;
}

template <class T>
constexpr auto table_getter() -> const Table& (*)() {
  if constexpr (kind_of<T>() == FieldKind::object) return &table_of<T>;
  if constexpr (kind_of<T>() == FieldKind::objects) return &table_of<typename T::value_type>;
  return nullptr;
}

template <class T>
const void* address_of(const std::optional<T>& value) {
  return value ? &*value : nullptr;
}
const void* address_of(const auto& value) {
  return &value;
}
template <class T>
void* place_of(std::optional<T>& value) {
  return value ? &*value : &value.emplace();
}
void* place_of(auto& value) {
  return &value;
}

bool is_set_value(const auto& value) {
  if constexpr (requires { value.empty(); }) {
    return !value.empty();
  } else {
    return static_cast<bool>(value);
  }
}

}  // namespace detail

// The member that `Struct` has from a base, whose pointer to member says nothing of `Struct`.
template <class Struct, auto... Way>
constexpr Field inherited(std::string_view name, FieldRules rules = {}) {
  using Place = detail::Path<Way...>;
  using Value = typename detail::Unwrapped<typename Place::Value>::type;
  return {
      name,
      detail::kind_of<Value>(),
      [](const void* of) { return detail::address_of(Place::in(*static_cast<const Struct*>(of))); },
      [](void* of) { return detail::place_of(Place::in(*static_cast<Struct*>(of))); },
      rules,
      detail::words_of<Value>(),
      detail::elements_of<Value>(),
      detail::table_getter<Value>()};
}

// The member, or that of a member: field<&RunConfig::shape, &Shape::seq_len>(...).
template <auto... Way>
constexpr Field field(std::string_view name, FieldRules rules = {}) {
  return inherited<typename detail::Path<Way...>::Struct, Way...>(name, rules);
}

// For FieldRules::when: the member is true, above or below 0, or not empty.
template <auto... Way>
bool is_set(const void* of) {
  using Place = detail::Path<Way...>;
  return detail::is_set_value(Place::in(*static_cast<const typename Place::Struct*>(of)));
}

// The same field of a struct that `Member` is part of, beside fields of its own.
template <auto Member>
Field as_part(Field field) {
  using Integer = detail::Path<Member>;
  field.outer = [](void* full) -> void* {
    return &Integer::in(*static_cast<typename Integer::Struct*>(full));
  };
  return field;
}

}  // namespace batchscope::schema
