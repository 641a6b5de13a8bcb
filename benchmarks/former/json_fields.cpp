#include "json_fields.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <type_traits>

namespace batchscope::schema::former {

size_t JsonFields::index_of(std::string_view name) const {
  const size_t index = line_.find(object_, name, last_);
  if (index != 0) last_ = index;
  return index;
}

bool JsonFields::has(std::string_view name) const {
  const size_t index = index_of(name);
  return index != 0 && line_.node(index).kind != JsonNode::Kind::null;
}

void JsonFields::fail(std::string_view name, std::string_view what) const {
  if (problem_.empty()) problem_ = fmt::format("{} {}", name, what);
}

// The index of the field when it is there and of that kind; 0 otherwise, with the problem noted.
size_t JsonFields::find(std::string_view name, JsonNode::Kind kind, std::string_view wanted) const {
  const size_t index = index_of(name);
  if (index == 0 || line_.node(index).kind == JsonNode::Kind::null) return 0;
  if (line_.node(index).kind == kind) return index;
  fail(name, fmt::format("is not {}", wanted));
  return 0;
}

// An empty array says nothing of its element type; it is kept as one of integers.
bool JsonFields::is_empty_array(std::string_view name) const {
  const size_t index = index_of(name);
  if (index == 0) return false;
  const JsonNode& node = line_.node(index);
  return node.kind == JsonNode::Kind::integers && node.count == 0;
}

// Leaves the value as it is where the text is no number of that type.
template <class T>
bool JsonFields::to_number(std::string_view text, T& value) const {
  T parsed{};
  const auto result = std::from_chars(text.data(), text.data() + text.size(), parsed);
  bool good = result.ec == std::errc() && result.ptr == text.data() + text.size();
  if constexpr (std::is_floating_point_v<T>) good = good && std::isfinite(parsed);
  if (good) value = parsed;
  return good;
}

template <class T>
void JsonFields::read_number(std::string_view name, std::string_view wanted, T& value) const {
  const size_t index = find(name, JsonNode::Kind::number, wanted);
  if (index == 0) return;
  if (!to_number(line_.node(index).text, value)) fail(name, fmt::format("is not {}", wanted));
}

void JsonFields::read(std::string_view name, int& value) const {
  read_number(name, "an integer that fits 32 bits", value);
}

void JsonFields::read(std::string_view name, int64_t& value) const {
  read_number(name, "an integer that fits 64 bits", value);
}

void JsonFields::read(std::string_view name, uint64_t& value) const {
  read_number(name, "a non-negative integer that fits 64 bits", value);
}

void JsonFields::read(std::string_view name, double& value) const {
  read_number(name, "a number", value);
}

void JsonFields::read(std::string_view name, bool& value) const {
  const size_t index = find(name, JsonNode::Kind::boolean, "true or false");
  if (index != 0) value = line_.node(index).text == "true";
}

void JsonFields::read(std::string_view name, std::string& value) const {
  const size_t index = find(name, JsonNode::Kind::string, "a text");
  if (index != 0) value = line_.node(index).text;
}

void JsonFields::read(std::string_view name, std::vector<int64_t>& value) const {
  const size_t index = find(name, JsonNode::Kind::integers, "an array of integers");
  if (index == 0) return;
  const auto integers = line_.integers(line_.node(index));
  value.assign(integers.begin(), integers.end());
}

void JsonFields::read(std::string_view name, std::vector<double>& value) const {
  const size_t index = index_of(name);
  if (index != 0 && line_.node(index).kind == JsonNode::Kind::integers) {
    const auto integers = line_.integers(line_.node(index));
    return value.assign(integers.begin(), integers.end());
  }
  const size_t array = find(name, JsonNode::Kind::array, "an array of numbers");
  if (array == 0) return;
  value.clear();
  for (size_t i = array + 1; i < line_.node(array).end; i = line_.next(i)) {
    const JsonNode& node = line_.node(i);
    double number = 0;
    if (node.kind != JsonNode::Kind::number || !to_number(node.text, number)) {
      return fail(name, "is not an array of numbers");
    }
    value.push_back(number);
  }
}

void JsonFields::read(std::string_view name, std::vector<std::string>& value) const {
  if (is_empty_array(name)) return value.clear();
  const size_t array = find(name, JsonNode::Kind::array, "an array of texts");
  if (array == 0) return;
  value.clear();
  for (size_t i = array + 1; i < line_.node(array).end; i = line_.next(i)) {
    if (line_.node(i).kind != JsonNode::Kind::string) return fail(name, "is not an array of texts");
    value.emplace_back(line_.node(i).text);
  }
}

void JsonFields::read(std::string_view name, std::map<std::string, std::string>& value) const {
  const size_t object = find(name, JsonNode::Kind::object, "an object of texts");
  if (object == 0) return;
  value.clear();
  for (size_t i = object + 1; i < line_.node(object).end; i = line_.next(i)) {
    if (line_.node(i).kind != JsonNode::Kind::string) {
      return fail(name, "is not an object of texts");
    }
    value[std::string(line_.node(i).key)] = line_.node(i).text;
  }
}

void JsonFields::read(std::string_view name, std::map<std::string, int64_t>& value) const {
  object(name, [&](const JsonFields& inner) {
    value.clear();
    for (size_t i = inner.object_ + 1; i < line_.node(inner.object_).end; i = line_.next(i)) {
      const std::string_view key = line_.node(i).key;
      inner.read(key, value[std::string(key)]);
    }
  });
}

}  // namespace batchscope::schema::former
