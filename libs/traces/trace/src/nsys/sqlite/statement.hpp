#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sqlite_file.hpp"

struct sqlite3_stmt;

namespace batchscope::trace {

// A query and the row at which it stands. The file outlives it.
class Statement {
 public:
  Statement(SqliteFile& file, const std::string& sql);
  Statement(Statement&& other) noexcept;
  Statement& operator=(Statement&&) = delete;
  ~Statement();

  // The next row; false at the end, and where there is `damage()`.
  bool step();
  // That rows of a table come in the order of their numbers, which stand in this column: where
  // pages are mixed up they do not.
  void expect_order_by(int column) { order_column_ = column; }
  // For another run with this value for "?1".
  void restart(int64_t value);
  // Why the rows end too early, or why there are none; empty where they do not.
  const std::string& damage() const { return damage_; }

  // Of the row. Nothing for what is no whole number.
  std::optional<int64_t> integer(int column) const;
  int64_t integer_or(int column, int64_t otherwise) const {
    return integer(column).value_or(otherwise);
  }
  bool is_null(int column) const;
  // Empty for what is no text. Lives until the next step.
  std::string_view text(int column);

 private:
  bool is_in_order();

  SqliteFile& file_;
  sqlite3_stmt* statement_ = nullptr;
  std::string damage_;
  int order_column_ = -1;
  std::optional<int64_t> last_;
};

// A table as it was found.
struct TableRows {
  std::optional<Statement> rows;
  std::string problem;  // why there are none although the table is there
};

// The rows of a table in the order in which they stand, with the columns that were asked for. Those
// that the table does not have are null; without the first `required` ones it is of no use. An
// export holds only what was recorded: nothing, and no problem, where there is no such table.
TableRows rows_of(SqliteFile& file, std::string_view table,
                  std::span<const std::string_view> columns, size_t required);

// Other: a view or a virtual table, whose rows are computed when they are asked for. Unknown: the
// list of tables cannot be read.
enum class TableKind { absent, plain, other, unknown };
TableKind kind_of(SqliteFile& file, std::string_view table);

}  // namespace batchscope::trace
