#include <array>
#include <cctype>

#include "batchscope/base/parse_number.hpp"
#include "batchscope/base/strings.hpp"
#include "formats/values.hpp"

namespace batchscope::stepfeed {
namespace {

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string_view after_blanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  return begin == std::string_view::npos ? std::string_view() : text.substr(begin);
}

// As many bytes as may be of a number: digits, a sign, a point, an exponent, nan, inf.
std::size_t length_of_number(std::string_view text) {
  for (const std::string_view word : {"nan", "NaN", "inf", "-inf", "Infinity", "-Infinity"}) {
    const bool is_it = text.starts_with(word);
    if (is_it && (text.size() == word.size() || !is_word(text[word.size()]))) return word.size();
  }
  std::size_t length = 0;
  const auto take = [&](auto is_part) {
    while (length < text.size() && is_part(text[length])) ++length;
  };
  if (text.starts_with('-') || text.starts_with('+')) ++length;
  take([](char c) { return is_digit(c) || c == '.'; });
  if (length < text.size() && (text[length] == 'e' || text[length] == 'E')) {
    std::size_t exponent = length + 1;
    if (exponent < text.size() && (text[exponent] == '-' || text[exponent] == '+')) ++exponent;
    if (exponent < text.size() && is_digit(text[exponent])) {
      length = exponent;
      take(is_digit);
    }
  }
  return length;
}

std::optional<double> number_at(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  return base::parse_number<double>(text);
}

std::string_view unit_at(std::string_view text) {
  for (const std::string_view unit : {"ms", "us", "s"}) {
    const bool is_it = text.starts_with(unit);
    if (is_it && (text.size() == unit.size() || !is_word(text[unit.size()]))) return unit;
  }
  return {};
}

// "3", "3/100", "3ms", at the begin of the text.
std::optional<Value> value_at(std::string_view text) {
  text = after_blanks(text);
  const std::size_t length = length_of_number(text);
  const auto number = number_at(text.substr(0, length));
  if (!number) return std::nullopt;
  Value value{*number, unit_at(text.substr(length)), 0};
  std::string_view rest = after_blanks(text.substr(length));
  if (!rest.starts_with('/')) return value;
  rest = after_blanks(rest.substr(1));
  value.of = number_at(rest.substr(0, length_of_number(rest))).value_or(0);
  return value;
}

// The number that ends where the text does, as that before "/step".
std::optional<Value> value_before(std::string_view text) {
  std::size_t begin = text.size();
  while (begin > 0 && is_word(text[begin - 1])) --begin;
  while (begin > 0 && (is_digit(text[begin - 1]) || text[begin - 1] == '.')) --begin;
  return value_at(text.substr(begin));
}

class TextValues : public Values {
 public:
  explicit TextValues(std::string_view line) : line_(line) {}

  std::optional<Value> find(std::string_view name) const override {
    if (name.starts_with('^')) return value_at(line_);
    const bool is_before = name.starts_with('<');
    if (is_before) name.remove_prefix(1);
    for (std::size_t at = place_of(name, 0); at != std::string_view::npos;
         at = place_of(name, at + 1)) {
      const auto value = is_before ? value_before(line_.substr(0, at))
                                   : value_after(line_.substr(at + name.size()));
      if (value) return value;
    }
    return std::nullopt;
  }

  bool has(std::string_view name) const override {
    return place_of(name, 0) != std::string_view::npos;
  }
  std::optional<double> sum(std::string_view, std::string_view) const override {
    return std::nullopt;
  }
  std::string text(std::string_view) const override { return {}; }

 private:
  // Where it stands as a word of its own.
  std::size_t place_of(std::string_view name, std::size_t from) const {
    if (name.empty()) return std::string_view::npos;
    for (std::size_t at = line_.find(name, from); at != std::string_view::npos;
         at = line_.find(name, at + 1)) {
      if (at == 0 || !is_word(name.front()) || !is_word(line_[at - 1])) return at;
    }
    return std::string_view::npos;
  }

  static std::optional<Value> value_after(std::string_view rest) {
    rest = after_blanks(rest);
    if (rest.starts_with(':') || rest.starts_with('=')) rest.remove_prefix(1);
    return value_at(rest);
  }

  std::string_view line_;
};

// The bytes of a terminal's command at the begin, such as a colour; 0: none.
std::size_t length_of_command(std::string_view text) {
  if (!text.starts_with("\x1b[")) return 0;
  std::size_t length = 2;
  while (length < text.size() && !std::isalpha(static_cast<unsigned char>(text[length]))) ++length;
  return length + 1;
}

}  // namespace

std::unique_ptr<Values> text_values(std::string_view line) {
  return std::make_unique<TextValues>(line);
}

std::string as_shown(std::string_view line) {
  while (line.ends_with('\r')) line.remove_suffix(1);
  const std::size_t anew = line.find_last_of("\r\b");
  if (anew != std::string_view::npos) line.remove_prefix(anew + 1);
  std::string shown;
  while (!line.empty()) {
    const std::size_t command = length_of_command(line);
    const bool is_more_blank = line.front() == ' ' && shown.ends_with(' ');
    if (command == 0 && !is_more_blank) shown += line.front();
    line.remove_prefix(std::min(line.size(), std::max<std::size_t>(command, 1)));
  }
  return shown;
}

}  // namespace batchscope::stepfeed
