#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "nsys/sqlite/statement.hpp"
#include "reading.hpp"

namespace batchscope::trace {

// A table, row by row, as rows_of() has it. Why there are no more rows is told to the reading.
class Table {
 public:
  Table(SqliteReading& reading, std::string_view name, std::span<const std::string_view> columns,
        size_t required)
      : reading_(reading), name_(name) {
    TableRows found = rows_of(reading.file(), name, columns, required);
    if (!found.problem.empty()) reading.lose(found.problem);
    if (found.rows) rows_.emplace(std::move(*found.rows));
  }

  bool step() {
    if (!rows_) return false;
    if (rows_->step()) return true;
    if (!rows_->damage().empty()) {
      reading_.lose("the table " + name_ + " is unreadable from some row on: " + rows_->damage());
    }
    return false;
  }
  Statement& row() { return *rows_; }
  const Statement& row() const { return *rows_; }

 private:
  SqliteReading& reading_;
  std::string name_;
  std::optional<Statement> rows_;
};

}  // namespace batchscope::trace
