#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "batchscope/schema/fields.hpp"

namespace batchscope::schema {

// Reads JSON objects that stand in a line each. One reader serves any number of lines, and keeps
// its memory from line to line.
class JsonLine {
 public:
  JsonLine();
  ~JsonLine();
  JsonLine(JsonLine&&) noexcept;
  JsonLine& operator=(JsonLine&&) noexcept;

  // Takes a line, which need not live on. False when it is seen already not to be a JSON object.
  // What of it is no UTF-8 is replaced by U+FFFD, as when it is written.
  bool take(std::string_view line);
  // Of the line taken: its text "type"; empty where it has none.
  std::string type();
  // Reads it, once. False when it is no JSON object (RFC 8259) or is nested deeper than 64; else
  // the first thing that is wrong by the table, in its order, is in `problem`: "block is too
  // small", and `to` is of no use. Fields that the table does not have are passed over; of one
  // given twice the first counts.
  bool read(const Table& table, void* to, std::string& problem);
  template <class Struct>
  bool read(Struct& to, std::string& problem) {
    return read(table_of<Struct>(), &to, problem);
  }

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The object in one line, without '\n', after the field "type" where `type` is not empty. Bytes
// that are no UTF-8 become U+FFFD: text from outside (paths, environments) may hold them, and a run
// must not end for that.
std::string json_line(std::string_view type, const Table& table, const void* of);
template <class Struct>
std::string json_line(std::string_view type, const Struct& of) {
  return json_line(type, table_of<Struct>(), &of);
}

// A whole document: the object with its "schema_version" before the fields, indented.
std::string json_document(const Table& table, const void* of);
template <class Struct>
std::string json_document(const Struct& of) {
  return json_document(table_of<Struct>(), &of);
}

}  // namespace batchscope::schema
