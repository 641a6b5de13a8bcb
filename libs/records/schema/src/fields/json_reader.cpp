// The one source that includes simdjson, whose header takes seconds.

#include <fmt/format.h>
#include <simdjson.h>

#include <map>
#include <new>
#include <vector>

#include "batchscope/base/integer_array.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/schema/json_line.hpp"
#include "json_text.hpp"
#include "object_check.hpp"

namespace batchscope::schema {
namespace {

namespace ondemand = simdjson::ondemand;
using ondemand::json_type;

constexpr int kMaxDepth = 64;

// Calls read(key, value) for each until it is false; false also where it is no JSON.
template <class ReadEach>
bool each_field(ondemand::object& object, ReadEach read) {
  for (auto each : object) {
    ondemand::field field;
    std::string_view key;
    if (std::move(each).get(field) || field.unescaped_key().get(key)) return false;
    ondemand::value value = field.value();
    if (!read(key, value)) return false;
  }
  return true;
}

// Takes any JSON, and tells whether it is. Values are looked at only when they are asked for, so
// that what nobody wants has to be asked for too.
bool pass_over(ondemand::value value, int depth);

bool pass_over_array(ondemand::value& value, int depth) {
  ondemand::array array;
  if (value.get_array().get(array)) return false;
  for (auto each : array) {
    if (each.error()) return false;
    ondemand::value element = each.value_unsafe();
    if (!pass_over(element, depth + 1)) return false;
  }
  return true;
}

bool pass_over_object(ondemand::value& value, int depth) {
  ondemand::object object;
  if (value.get_object().get(object)) return false;
  return each_field(object, [&](std::string_view, const ondemand::value& each) {
    return pass_over(each, depth + 1);
  });
}

bool pass_over(ondemand::value value, int depth) {
  json_type type{};
  if (depth > kMaxDepth || value.type().get(type)) return false;
  bool flag = false;
  std::string_view text;
  switch (type) {
    case json_type::object:
      return pass_over_object(value, depth);
    case json_type::array:
      return pass_over_array(value, depth);
    case json_type::number:
      return is_json_number(base::trim(value.raw_json_token()));
    case json_type::string:
      return !value.get_string().get(text);
    case json_type::boolean:
      return !value.get_bool().get(flag);
    case json_type::null:
      return !value.is_null().get(flag) && flag;
  }
  return false;
}

bool to_value(ondemand::value& value, bool& to) {
  return !value.get_bool().get(to);
}
bool to_value(ondemand::value& value, int64_t& to) {
  return !value.get_int64().get(to);
}
bool to_value(ondemand::value& value, uint64_t& to) {
  return !value.get_uint64().get(to);
}
bool to_value(ondemand::value& value, double& to) {
  return !value.get_double().get(to);
}
bool to_value(ondemand::value& value, std::string& to) {
  std::string_view text;
  if (value.get_string().get(text)) return false;
  to = text;
  return true;
}

// What of one value came out.
enum class Got { value, null, wrong, no_json };

struct Wanted {
  const Field& field;
  void* of;  // the struct
  int depth;
  std::string& problem;

  template <class T>
  T& place() const {
    return *static_cast<T*>(field.place(of));
  }
  Got is_not(std::string_view what) const {
    if (problem.empty()) problem = fmt::format("{} is not {}", field.name, what);
    return Got::wrong;
  }
};

// It is of another kind than wanted, if it is JSON.
Got refuse(const ondemand::value& value, const Wanted& wanted, std::string_view what) {
  return pass_over(value, wanted.depth) ? wanted.is_not(what) : Got::no_json;
}

}  // namespace

struct JsonLine::State {
  ondemand::parser parser;
  ondemand::document document;
  std::string padded;  // the line, and what simdjson reads beyond its end
  std::vector<int64_t> integers;

  simdjson::error_code index(std::string_view line);
  bool read_object(ondemand::object& object, const Table& table, void* to, int depth,
                   std::string& problem);

 private:
  Got read_field(ondemand::value value, const Wanted& wanted);
  template <class T>
  Got read_one(ondemand::value& value, const Wanted& wanted, std::string_view what);
  Got read_word(ondemand::value& value, const Wanted& wanted);
  template <class T>
  Got read_array(ondemand::value& value, const Wanted& wanted, std::vector<T>& values,
                 std::string_view what);
  Got read_integers(ondemand::value& value, const Wanted& wanted);
  Got read_texts_by_name(ondemand::value& value, const Wanted& wanted);
  Got read_integers_by_name(ondemand::value& value, const Wanted& wanted);
  Got read_inner(ondemand::value& value, const Wanted& wanted);
  Got read_objects(ondemand::value& value, const Wanted& wanted);
};

simdjson::error_code JsonLine::State::index(std::string_view line) {
  document = ondemand::document();
  padded.assign(line);
  padded.append(simdjson::SIMDJSON_PADDING, '\0');
  return parser.iterate(padded.data(), line.size(), padded.size()).get(document);
}

template <class T>
Got JsonLine::State::read_one(ondemand::value& value, const Wanted& wanted, std::string_view what) {
  T read{};
  if (to_value(value, read)) {
    wanted.place<T>() = std::move(read);
    return Got::value;
  }
  return refuse(value, wanted, what);
}

// A number that is an integer may still be too large for 32 bits.
template <>
Got JsonLine::State::read_one<int32_t>(ondemand::value& value, const Wanted& wanted,
                                       std::string_view what) {
  int64_t wide = 0;
  if (!to_value(value, wide)) return refuse(value, wanted, what);
  const auto narrow = static_cast<int32_t>(wide);
  if (narrow != wide) return wanted.is_not(what);
  wanted.place<int32_t>() = narrow;
  return Got::value;
}

Got JsonLine::State::read_word(ondemand::value& value, const Wanted& wanted) {
  std::string text;
  if (!to_value(value, text)) return refuse(value, wanted, "a text");
  if (wanted.field.words->read(text, wanted.field.place(wanted.of))) return Got::value;
  wanted.problem = fmt::format("{} has an unknown value", wanted.field.name);
  return Got::wrong;
}

template <class T>
Got JsonLine::State::read_array(ondemand::value& value, const Wanted& wanted,
                                std::vector<T>& values, std::string_view what) {
  values.clear();
  ondemand::array array;
  if (value.get_array().get(array)) return refuse(value, wanted, what);
  Got got = Got::value;
  for (auto each : array) {
    if (each.error()) return Got::no_json;
    ondemand::value element = each.value_unsafe();
    T read{};
    if (to_value(element, read)) {
      values.push_back(std::move(read));
    } else {
      if (!pass_over(element, wanted.depth + 1)) return Got::no_json;
      got = wanted.is_not(what);
    }
  }
  return got;
}

// They are most of a run file, so that they are scanned by ourselves where they are as usual. They
// are gathered where there is room, and then kept in what they take.
Got JsonLine::State::read_integers(ondemand::value& value, const Wanted& wanted) {
  const auto from = static_cast<std::size_t>(value.raw_json_token().data() - padded.data());
  const bool taken = base::take_integers(std::string_view(padded).substr(from), integers);
  if (!taken) {
    const Got got = read_array(value, wanted, integers, "an array of integers");
    if (got != Got::value) return got;
  }
  wanted.place<std::vector<int64_t>>().assign(integers.begin(), integers.end());
  return Got::value;
}

Got JsonLine::State::read_texts_by_name(ondemand::value& value, const Wanted& wanted) {
  ondemand::object object;
  if (value.get_object().get(object)) return refuse(value, wanted, "an object of texts");
  auto& texts = wanted.place<std::map<std::string, std::string>>();
  texts.clear();
  Got got = Got::value;
  const bool is_json = each_field(object, [&](std::string_view key, ondemand::value& each) {
    std::string text;
    const std::string name(key);
    if (to_value(each, text)) {
      texts[name] = std::move(text);
      return true;
    }
    got = wanted.is_not("an object of texts");
    return pass_over(each, wanted.depth + 1);
  });
  return is_json ? got : Got::no_json;
}

Got JsonLine::State::read_integers_by_name(ondemand::value& value, const Wanted& wanted) {
  ondemand::object object;
  if (value.get_object().get(object)) return refuse(value, wanted, "an object");
  auto& numbers = wanted.place<std::map<std::string, int64_t>>();
  numbers.clear();
  Got got = Got::value;
  const bool is_json = each_field(object, [&](std::string_view key, ondemand::value& each) {
    int64_t& number = numbers[std::string(key)];
    if (to_value(each, number)) return true;
    json_type type{};
    if (each.type().get(type) || !pass_over(each, wanted.depth + 1)) return false;
    if (type == json_type::null) return true;
    if (wanted.problem.empty()) {
      wanted.problem = fmt::format("{} is not an integer that fits 64 bits", key);
    }
    got = Got::wrong;
    return true;
  });
  return is_json ? got : Got::no_json;
}

Got JsonLine::State::read_inner(ondemand::value& value, const Wanted& wanted) {
  ondemand::object object;
  if (value.get_object().get(object)) return refuse(value, wanted, "an object");
  void* place = wanted.field.place(wanted.of);
  if (!read_object(object, wanted.field.table(), place, wanted.depth, wanted.problem)) {
    return Got::no_json;
  }
  return wanted.problem.empty() ? Got::value : Got::wrong;
}

Got JsonLine::State::read_objects(ondemand::value& value, const Wanted& wanted) {
  constexpr std::string_view kWhat = "an array of objects";
  ondemand::array array;
  if (value.get_array().get(array)) return refuse(value, wanted, kWhat);
  const Elements& elements = *wanted.field.elements;
  void* all = wanted.field.place(wanted.of);
  elements.clear(all);
  for (auto each : array) {
    if (each.error()) return Got::no_json;
    ondemand::value element = each.value_unsafe();
    ondemand::object object;
    if (element.get_object().get(object)) {
      if (!pass_over(element, wanted.depth + 1)) return Got::no_json;
      wanted.is_not(kWhat);
      continue;
    }
    std::string problem;
    void* place = elements.add(all);
    if (!read_object(object, wanted.field.table(), place, wanted.depth + 1, problem)) {
      return Got::no_json;
    }
    if (wanted.problem.empty()) wanted.problem = std::move(problem);
  }
  return wanted.problem.empty() ? Got::value : Got::wrong;
}

Got JsonLine::State::read_field(ondemand::value value, const Wanted& wanted) {
  json_type type{};
  if (wanted.depth > kMaxDepth || value.type().get(type)) return Got::no_json;
  if (type == json_type::null) return pass_over(value, wanted.depth) ? Got::null : Got::no_json;
  switch (wanted.field.kind) {
    case FieldKind::boolean:
      return read_one<bool>(value, wanted, "true or false");
    case FieldKind::int32:
      return read_one<int32_t>(value, wanted, "an integer that fits 32 bits");
    case FieldKind::int64:
      return read_one<int64_t>(value, wanted, "an integer that fits 64 bits");
    case FieldKind::uint64:
      return read_one<uint64_t>(value, wanted, "a non-negative integer that fits 64 bits");
    case FieldKind::number:
      return read_one<double>(value, wanted, "a number");
    case FieldKind::text:
      return read_one<std::string>(value, wanted, "a text");
    case FieldKind::word:
      return read_word(value, wanted);
    case FieldKind::int64s:
      return read_integers(value, wanted);
    case FieldKind::numbers:
      return read_array(value, wanted, wanted.place<std::vector<double>>(), "an array of numbers");
    case FieldKind::texts:
      return read_array(value, wanted, wanted.place<std::vector<std::string>>(),
                        "an array of texts");
    case FieldKind::text_by_name:
      return read_texts_by_name(value, wanted);
    case FieldKind::int64_by_name:
      return read_integers_by_name(value, wanted);
    case FieldKind::object:
      return read_inner(value, wanted);
    case FieldKind::objects:
      return read_objects(value, wanted);
  }
  return Got::no_json;
}

// False: it is no JSON.
bool JsonLine::State::read_object(ondemand::object& object, const Table& table, void* to, int depth,
                                  std::string& problem) {
  ObjectCheck check(table, problem);
  const bool is_json = each_field(object, [&](std::string_view key, ondemand::value& value) {
    const std::size_t index = check.find(key);
    if (index == table.fields.size()) return pass_over(value, depth + 1);
    std::string wrong;
    const Got got = read_field(value, {table.fields[index], to, depth + 1, wrong});
    if (got != Got::null) check.has_read(index);
    if (got == Got::wrong) check.is_wrong(index, std::move(wrong));
    return got != Got::no_json;
  });
  if (is_json) check.finish(to);
  return is_json;
}

JsonLine::JsonLine() : state_(std::make_unique<State>()) {}
JsonLine::~JsonLine() = default;
JsonLine::JsonLine(JsonLine&&) noexcept = default;
JsonLine& JsonLine::operator=(JsonLine&&) noexcept = default;

bool JsonLine::take(std::string_view line) {
  auto error = state_->index(line);
  if (error == simdjson::UTF8_ERROR) error = state_->index(as_utf8(line));
  if (error == simdjson::MEMALLOC) throw std::bad_alloc();  // as containers do
  json_type type{};
  return !error && !state_->document.type().get(type) && type == json_type::object;
}

std::string JsonLine::type() {
  std::string type;
  ondemand::object object;
  if (!state_->document.get_object().get(object)) {
    each_field(object, [&](std::string_view key, ondemand::value& value) {
      const bool is_it = key == "type";
      if (is_it) to_value(value, type);
      return !is_it;
    });
  }
  // Else it is seen not to be JSON.
  if (state_->document.is_alive()) state_->document.rewind();
  return type;
}

bool JsonLine::read(const Table& table, void* to, std::string& problem) {
  ondemand::object object;
  if (!state_->document.is_alive() || state_->document.get_object().get(object)) return false;
  if (!state_->read_object(object, table, to, 0, problem)) return false;
  // Nothing may follow.
  return state_->document.current_location().error() == simdjson::OUT_OF_BOUNDS;
}

}  // namespace batchscope::schema
