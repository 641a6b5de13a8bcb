#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace batchscope::schema::former {

// One JSON value of a line. Numbers are kept as text and converted by whoever wants them, so that
// 64-bit integers keep every digit.
struct JsonNode {
  enum class Kind { null, boolean, number, string, array, integers, object };
  Kind kind = Kind::null;
  std::string_view key;   // in an object
  std::string_view text;  // boolean, number (as written) or string (decoded)
  size_t end = 0;         // array, object: index behind the last node inside
  size_t first = 0;       // integers: place in the pool, and how many
  size_t count = 0;
};

// A JSON document of one line as flat nodes, depth first. A document tree costs an allocation a
// value, which is most of the time of reading a run file; this one reuses its memory from line to
// line, and an array of integers costs 8 bytes a value.
class JsonLine {
 public:
  // Parses strictly (RFC 8259, at most 64 levels deep). False when it is not one JSON value; then
  // the document is empty. Keeps views into `text`.
  bool parse(std::string_view text);

  const JsonNode& node(size_t index) const { return nodes_[index]; }
  size_t size() const { return nodes_.size(); }
  // Index of the value of a key of the object at `object`; 0 when there is none (0 is the root).
  // The search goes once round from `hint`, a value in that object or 0: fields are mostly asked
  // for in the order they are written. Of a key given twice either may be found.
  size_t find(size_t object, std::string_view key, size_t hint) const;
  // Index of the sibling that follows.
  size_t next(size_t index) const;
  std::span<const int64_t> integers(const JsonNode& node) const {
    return std::span(pool_).subspan(node.first, node.count);
  }

 private:
  bool parse_value(std::string_view key, int depth);
  bool parse_object(size_t self, int depth);
  bool parse_array(size_t self, int depth);
  bool parse_integers(size_t self);
  bool parse_number(size_t self);
  bool parse_word(size_t self, std::string_view word, JsonNode::Kind kind);
  bool parse_string(std::string_view& text);
  bool decode_string(size_t start, std::string_view& text);
  bool decode_escape(std::string& decoded);
  bool parse_hex4(unsigned& code);
  void skip_space();
  bool take(char c);

  std::string_view text_;
  size_t at_ = 0;
  std::vector<JsonNode> nodes_;
  std::vector<int64_t> pool_;
  std::deque<std::string> decoded_;  // strings with escapes; a deque keeps them in place
};

}  // namespace batchscope::schema::former
