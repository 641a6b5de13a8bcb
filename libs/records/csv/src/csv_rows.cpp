#include "csv_rows.hpp"

#include <csv.h>

#include <algorithm>

namespace batchscope::csv {
namespace {

struct Collector {
  std::vector<CsvRow> rows;
  CsvRow current;
};

void on_field(void* data, size_t size, void* context) {
  auto* collector = static_cast<Collector*>(context);
  collector->current.fields.emplace_back(static_cast<const char*>(data), size);
}

void on_row(int /*terminator*/, void* context) {
  auto* collector = static_cast<Collector*>(context);
  collector->rows.push_back(std::move(collector->current));
  collector->current = {};
}

std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  return text.substr(0, kMark.size()) == kMark ? text.substr(kMark.size()) : text;
}

}  // namespace

std::vector<CsvRow> csv_rows(std::string_view text, char separator) {
  text = without_byte_order_mark(text);
  Collector collector;
  csv_parser parser;
  if (csv_init(&parser, 0) != 0) return {};
  csv_set_delim(&parser, static_cast<unsigned char>(separator));
  // Fed a line at a time, so that a row knows the line it began on; a quoted field may go on over
  // several.
  int line = 1;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    constexpr int kRowNotBegun = 0;  // libcsv's first state
    if (parser.pstate == kRowNotBegun) collector.current.line = line;
    csv_parse(&parser, text.data(), end, on_field, on_row, &collector);
    text.remove_prefix(end);
    ++line;
  }
  csv_fini(&parser, on_field, on_row, &collector);
  csv_free(&parser);
  return std::move(collector.rows);
}

}  // namespace batchscope::csv
