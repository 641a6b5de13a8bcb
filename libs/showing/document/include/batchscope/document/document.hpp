#pragma once

#include <functional>
#include <string>
#include <variant>
#include <vector>

namespace batchscope::document {

// What is said, apart from how a format says it: text and Markdown are two renderings of one
// document. Strings may hold anything a run file held; cleaning and escaping is each renderer's
// duty.

// What a piece means; a renderer may colour it, but never relies on colour alone.
enum class Tone { plain, strong, good, caution, bad, dim };

struct StyledText {
  std::string text;
  Tone tone = Tone::plain;
};
using Line = std::vector<StyledText>;

struct Heading {
  int level = 1;  // 1 is the largest
  std::string text;
};

struct Paragraph {
  Line line;
  bool close = false;      // right below what stands before it, where a format can do that
  bool of_answer = false;  // a line of the answer, read by itself
};

struct Column {
  std::string title;
  std::string second;         // the unit, or the title's second word: the header's second line
  bool left = false;          // words; numbers stand right
  bool break_before = false;  // where a table too wide is best continued in a second one
};

struct Cell {
  std::string value;
  std::string interval;
  Tone tone = Tone::plain;
};

inline Cell cell_of(std::string value) {
  return {std::move(value), "", Tone::plain};
}

// The first column is the key: it is repeated where a table is continued.
struct TextTable {
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;
};

struct KeyValue {
  std::string label;
  std::string text;
  bool code = false;  // to be pasted as it stands
};

// Label and value, aligned.
struct KeyValues {
  std::vector<KeyValue> fields;
};

struct Item {
  Line lead;
  std::vector<KeyValue> fields;
};

struct List {
  std::vector<Item> items;
};

// An item each.
List sentences(const std::vector<std::string>& all, Tone tone);

// A shell command that is never wrapped.
struct Code {
  std::string text;
  bool close = false;  // as of a paragraph
};

struct Image {
  std::string alternative;
  std::string path;
};

using Block = std::variant<Heading, Paragraph, TextTable, KeyValues, List, Code, Image>;
using Document = std::vector<Block>;

// Gives what has the one tone the other.
void repaint(Document& document, Tone from, Tone to);
// Replaces every string of the document by what `change` makes of it.
void rewrite(Document& document, const std::function<std::string(const std::string&)>& change);

}  // namespace batchscope::document
