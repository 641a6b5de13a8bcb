#include <algorithm>
#include <array>
#include <string_view>

#include "event_table.hpp"
#include "events.hpp"

namespace batchscope::trace {
namespace {

struct RangeColumns {
  enum { start, end, type, thread, text, text_id };
};
constexpr std::array<std::string_view, 6> kRangeColumns{"start",     "end",  "eventType",
                                                        "globalTid", "text", "textId"};

// "aten::view, op_id = 314290", "aten::mm, seq = 7, op_id = 3, sizes = [[2, 3]]": what torch adds
// to the name of whatever it records. npos where it added nothing.
size_t place_of_numbers(std::string_view text) {
  size_t place = std::string_view::npos;
  for (const std::string_view mark : {", op_id = ", ", seq = "}) {
    const size_t at = text.find(mark);
    const size_t digit = at + mark.size();
    if (at == std::string_view::npos || digit >= text.size()) continue;
    if (text[digit] >= '0' && text[digit] <= '9') place = std::min(place, at);
  }
  return place;
}

// Among what torch records; the others are ranges that somebody named. "aten::mm",
// "autograd::engine::evaluate_function: MmBackward0", "MmBackward0".
bool is_operator(std::string_view name) {
  constexpr std::string_view kOfNames =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:";
  if (name.starts_with("autograd::") || name.find("Backward") != std::string_view::npos)
    return true;
  return name.find("::") != std::string_view::npos &&
         name.find_first_not_of(kOfNames) == std::string_view::npos;
}

void set_name(Statement& row, SqliteReading& reading, Activity& range) {
  using Column = RangeColumns;
  range.kind = ActivityKind::range;
  const auto text_id = row.integer(Column::text_id);
  if (row.is_null(Column::text) && text_id) {
    range.name = reading.names().number_of(*text_id, reading.chunk());
    return;
  }
  const std::string_view text = row.text(Column::text);
  const size_t numbers = place_of_numbers(text);
  const std::string_view name = text.substr(0, numbers);
  if (numbers != std::string_view::npos && is_operator(name)) range.kind = ActivityKind::op;
  range.name = reading.names().number_of_text(name);
}

}  // namespace

void read_ranges(SqliteReading& reading, const Enums& enums) {
  using Column = RangeColumns;
  EventTable table(reading, "NVTX_EVENTS", kRangeColumns, 3);
  while (table.step()) {
    Statement& row = table.row();
    if (!enums.is_range(row.integer_or(Column::type, -1))) {
      ++reading.chunk().passed_over;  // marks, and names of domains, categories and threads
      continue;
    }
    if (row.is_null(Column::end)) {
      reading.skip("a range without an end");
      continue;
    }
    auto range = table.times();
    if (!range) continue;
    range->track = host_track_of(row, Column::thread, reading);
    set_name(row, reading, *range);
    reading.add(*range);
  }
}

}  // namespace batchscope::trace
