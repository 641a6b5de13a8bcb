#include "json_line.hpp"

#include <charconv>

namespace batchscope::schema::former {
namespace {

constexpr int kMaxDepth = 64;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Behind the number that starts at `at` by the grammar of JSON, or `at` when there is none.
size_t number_end(std::string_view text, size_t at) {
  const auto digits = [&](size_t from) {
    while (from < text.size() && is_digit(text[from])) ++from;
    return from;
  };
  size_t place = at;
  if (place < text.size() && text[place] == '-') ++place;
  const size_t whole = digits(place);
  if (whole == place || (text[place] == '0' && whole > place + 1)) return at;
  place = whole;
  if (place < text.size() && text[place] == '.') {
    const size_t fraction = digits(place + 1);
    if (fraction == place + 1) return at;
    place = fraction;
  }
  if (place < text.size() && (text[place] == 'e' || text[place] == 'E')) {
    size_t sign = place + 1;
    if (sign < text.size() && (text[sign] == '+' || text[sign] == '-')) ++sign;
    const size_t exponent = digits(sign);
    if (exponent == sign) return at;
    place = exponent;
  }
  return place;
}

}  // namespace

bool JsonLine::parse(std::string_view text) {
  text_ = text;
  at_ = 0;
  nodes_.clear();
  pool_.clear();
  decoded_.clear();
  if (parse_value({}, 0)) {
    skip_space();
    if (at_ == text_.size()) return true;
  }
  nodes_.clear();
  return false;
}

size_t JsonLine::find(size_t object, std::string_view key, size_t hint) const {
  const size_t start = hint == 0 ? object + 1 : hint;
  for (size_t i = start; i < nodes_[object].end; i = next(i)) {
    if (nodes_[i].key == key) return i;
  }
  for (size_t i = object + 1; i < start; i = next(i)) {
    if (nodes_[i].key == key) return i;
  }
  return 0;
}

size_t JsonLine::next(size_t index) const {
  const JsonNode& node = nodes_[index];
  const bool nested = node.kind == JsonNode::Kind::array || node.kind == JsonNode::Kind::object;
  return nested ? node.end : index + 1;
}

void JsonLine::skip_space() {
  while (at_ < text_.size() &&
         (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r' || text_[at_] == '\n')) {
    ++at_;
  }
}

bool JsonLine::take(char c) {
  skip_space();
  if (at_ == text_.size() || text_[at_] != c) return false;
  ++at_;
  return true;
}

bool JsonLine::parse_value(std::string_view key, int depth) {
  skip_space();
  if (at_ == text_.size() || depth > kMaxDepth) return false;
  const size_t self = nodes_.size();
  nodes_.push_back({JsonNode::Kind::null, key, {}, 0, 0, 0});
  switch (text_[at_]) {
    case '{':
      return parse_object(self, depth);
    case '[':
      return parse_array(self, depth);
    case 'n':
      return parse_word(self, "null", JsonNode::Kind::null);
    case 't':
      return parse_word(self, "true", JsonNode::Kind::boolean);
    case 'f':
      return parse_word(self, "false", JsonNode::Kind::boolean);
    case '"': {
      std::string_view text;
      if (!parse_string(text)) return false;
      nodes_[self].kind = JsonNode::Kind::string;
      nodes_[self].text = text;
      return true;
    }
    default:
      return parse_number(self);
  }
}

bool JsonLine::parse_object(size_t self, int depth) {
  nodes_[self].kind = JsonNode::Kind::object;
  ++at_;
  if (!take('}')) {
    do {
      std::string_view key;
      skip_space();
      if (!parse_string(key) || !take(':') || !parse_value(key, depth + 1)) return false;
    } while (take(','));
    if (!take('}')) return false;
  }
  nodes_[self].end = nodes_.size();
  return true;
}

bool JsonLine::parse_array(size_t self, int depth) {
  ++at_;
  if (parse_integers(self)) return true;
  nodes_[self].kind = JsonNode::Kind::array;
  do {
    if (!parse_value({}, depth + 1)) return false;
  } while (take(','));
  if (!take(']')) return false;
  nodes_[self].end = nodes_.size();
  return true;
}

// An array of nothing but 64-bit integers, or an empty one. False leaves everything as it was.
bool JsonLine::parse_integers(size_t self) {
  const size_t start = at_;
  const size_t first = pool_.size();
  bool done = take(']');
  while (!done) {
    skip_space();
    int64_t value = 0;
    if (at_ == text_.size()) break;
    const char* from = text_.data() + at_;
    const auto result = std::from_chars(from, text_.data() + text_.size(), value);
    const size_t behind = at_ + static_cast<size_t>(result.ptr - from);
    // A leading zero, a fraction or an exponent ends elsewhere by JSON's grammar.
    const bool plain = (*from != '0' && *from != '-') || number_end(text_, at_) == behind;
    if (result.ec != std::errc() || !plain) break;
    at_ = behind;
    pool_.push_back(value);
    done = take(']');
    if (!done && !take(',')) break;
  }
  if (!done) {
    at_ = start;
    pool_.resize(first);
    return false;
  }
  nodes_[self].kind = JsonNode::Kind::integers;
  nodes_[self].first = first;
  nodes_[self].count = pool_.size() - first;
  return true;
}

bool JsonLine::parse_number(size_t self) {
  const size_t end = number_end(text_, at_);
  if (end == at_) return false;
  nodes_[self].kind = JsonNode::Kind::number;
  nodes_[self].text = text_.substr(at_, end - at_);
  at_ = end;
  return true;
}

bool JsonLine::parse_word(size_t self, std::string_view word, JsonNode::Kind kind) {
  if (text_.substr(at_, word.size()) != word) return false;
  nodes_[self].kind = kind;
  nodes_[self].text = word;
  at_ += word.size();
  return true;
}

}  // namespace batchscope::schema::former
