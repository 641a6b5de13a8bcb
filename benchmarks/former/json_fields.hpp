#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/schema/open_enum.hpp"
#include "json_line.hpp"

namespace batchscope::schema::former {

// Reads the fields of one JSON object into a struct. A field that is absent or null leaves the
// value as it is; one of a wrong type is a problem, of which the first is kept.
class JsonFields {
 public:
  // `problem` outlives this and is shared by nested objects.
  JsonFields(const JsonLine& line, size_t object, std::string& problem)
      : line_(line), object_(object), problem_(problem) {}

  void read(std::string_view name, bool& value) const;
  void read(std::string_view name, int& value) const;
  void read(std::string_view name, int64_t& value) const;
  void read(std::string_view name, uint64_t& value) const;
  void read(std::string_view name, double& value) const;  // finite
  void read(std::string_view name, std::string& value) const;
  void read(std::string_view name, std::vector<int64_t>& value) const;
  void read(std::string_view name, std::vector<double>& value) const;  // finite
  void read(std::string_view name, std::vector<std::string>& value) const;
  void read(std::string_view name, std::map<std::string, std::string>& value) const;
  void read(std::string_view name, std::map<std::string, int64_t>& value) const;

  // Any text.
  template <class T>
  void read(std::string_view name, OpenEnum<T>& value) const {
    std::string text(value.text());
    read(name, text);
    value = OpenEnum<T>(text);
  }

  template <class T>
  void read(std::string_view name, std::optional<T>& value) const {
    if (!has(name)) return;
    T inner{};
    read(name, inner);
    value = std::move(inner);
  }

  // The same for a field without which the object means nothing.
  template <class T>
  void require(std::string_view name, T& value) const {
    if (!has(name)) return fail(name, "is missing");
    read(name, value);
  }
  template <class T>
  void at_least(std::string_view name, T least, T& value) const {
    read(name, value);
    if (value < least) fail(name, "is too small");
  }
  template <class T>
  void at_least(std::string_view name, T least, std::optional<T>& value) const {
    read(name, value);
    if (value && *value < least) fail(name, "is too small");
  }

  template <class T, class Value>
  void within(std::string_view name, T least, T most, Value& value) const {
    at_least(name, least, value);
    if (std::optional<T>(value).value_or(least) > most) fail(name, "is too large");
  }

  // A text that `parse` makes a value of.
  template <class T>
  void parsed(std::string_view name, base::Result<T> (*parse)(std::string_view), T& value) const {
    if (!has(name)) return;
    std::string text;
    read(name, text);
    if (auto known = parse(text)) {
      value = *known;
    } else {
      fail(name, "has an unknown value");
    }
  }

  // Present and not null.
  bool has(std::string_view name) const;
  // Calls read(fields) for the object of that name, or for every object of an array.
  template <class F>
  void object(std::string_view name, F read) const {
    const size_t index = find(name, JsonNode::Kind::object, "an object");
    if (index != 0) read(JsonFields(line_, index, problem_));
  }
  template <class F>
  void each_object(std::string_view name, F read) const {
    if (is_empty_array(name)) return;
    const size_t array = find(name, JsonNode::Kind::array, "an array of objects");
    if (array == 0) return;
    for (size_t i = array + 1; i < line_.node(array).end; i = line_.next(i)) {
      if (line_.node(i).kind != JsonNode::Kind::object) {
        return fail(name, "is not an array of objects");
      }
      read(JsonFields(line_, i, problem_));
    }
  }

  void fail(std::string_view name, std::string_view what) const;
  bool failed() const { return !problem_.empty(); }

 private:
  size_t index_of(std::string_view name) const;
  size_t find(std::string_view name, JsonNode::Kind kind, std::string_view wanted) const;
  bool is_empty_array(std::string_view name) const;
  template <class T>
  void read_number(std::string_view name, std::string_view wanted, T& value) const;
  template <class T>
  bool to_number(std::string_view text, T& value) const;

  const JsonLine& line_;
  size_t object_;
  std::string& problem_;
  mutable size_t last_ = 0;  // the value found last, where the next search starts
};

}  // namespace batchscope::schema::former
