#include "statement.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace batchscope::trace {
namespace {

std::string in_quotes(std::string_view name) {
  return "\"" + std::string(name) + "\"";
}

// Without those that are computed, which "table_info" leaves out.
std::vector<std::string> columns_of(SqliteFile& file, std::string_view table) {
  Statement list(file, "PRAGMA main.table_info(" + in_quotes(table) + ")");
  std::vector<std::string> columns;
  while (list.step()) columns.emplace_back(list.text(1));
  return columns;
}

bool has(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

TableKind kind_of(SqliteFile& file, std::string_view table) {
  Statement list(
      file, "SELECT type, sql FROM main.sqlite_master WHERE name = '" + std::string(table) + "'");
  if (!list.step()) return list.damage().empty() ? TableKind::absent : TableKind::unknown;
  // SQLite itself refuses a list whose types are not what the texts make; only virtual tables are
  // called tables too.
  const bool is_plain = list.text(0) == "table" && list.text(1).starts_with("CREATE TABLE ");
  return is_plain ? TableKind::plain : TableKind::other;
}

Statement::Statement(SqliteFile& file, const std::string& sql) : file_(file) {
  const int outcome = sqlite3_prepare_v2(file.handle(), sql.c_str(), static_cast<int>(sql.size()),
                                         &statement_, nullptr);
  if (outcome != SQLITE_OK) damage_ = file.complaint();
}

Statement::Statement(Statement&& other) noexcept
    : file_(other.file_),
      statement_(std::exchange(other.statement_, nullptr)),
      damage_(std::move(other.damage_)),
      order_column_(other.order_column_),
      last_(other.last_) {}

Statement::~Statement() {
  sqlite3_finalize(statement_);
}

bool Statement::step() {
  if (!damage_.empty()) return false;
  const int outcome = sqlite3_step(statement_);
  const bool is_within = --file_.allowance().rows >= 0 && file_.allowance().text_bytes >= 0;
  if (outcome == SQLITE_ROW && is_within) return is_in_order();
  if (outcome != SQLITE_DONE) damage_ = file_.complaint();
  return false;
}

bool Statement::is_in_order() {
  if (order_column_ < 0) return true;
  const int64_t number = sqlite3_column_int64(statement_, order_column_);
  if (!last_ || number > *last_) {
    last_ = number;
    return true;
  }
  damage_ = "its rows are mixed up";
  return false;
}

void Statement::restart(int64_t value) {
  if (statement_ == nullptr) return;
  damage_.clear();
  sqlite3_reset(statement_);
  sqlite3_bind_int64(statement_, 1, value);
}

std::optional<int64_t> Statement::integer(int column) const {
  // Unprotected, which is well as long as a connection belongs to one thread.
  sqlite3_value* const value = sqlite3_column_value(statement_, column);
  const int type = sqlite3_value_type(value);
  if (type == SQLITE_INTEGER) return sqlite3_value_int64(value);
  if (type != SQLITE_FLOAT) return std::nullopt;
  // Tools that copy exports make floating point of columns that hold nulls.
  const double number = sqlite3_value_double(value);
  constexpr double kExact = 9007199254740992;  // 2^53
  if (!(std::fabs(number) <= kExact) || std::trunc(number) != number) return std::nullopt;
  return static_cast<int64_t>(number);
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

std::string_view Statement::text(int column) {
  if (sqlite3_column_type(statement_, column) != SQLITE_TEXT) return {};
  const auto* const bytes = sqlite3_column_text(statement_, column);
  if (bytes == nullptr) return {};
  const int size = sqlite3_column_bytes(statement_, column);
  file_.allowance().text_bytes -= size;
  return {reinterpret_cast<const char*>(bytes), static_cast<size_t>(size)};
}

TableRows rows_of(SqliteFile& file, std::string_view table,
                  std::span<const std::string_view> columns, size_t required) {
  const std::string named = "the table " + std::string(table);
  switch (kind_of(file, table)) {
    case TableKind::absent:
      return {};
    case TableKind::other:
      return {std::nullopt, named + " is none: it is a view, or computed"};
    case TableKind::unknown:
      return {std::nullopt, named + " is unreadable: " + file.complaint()};
    case TableKind::plain:
      break;
  }
  const std::vector<std::string> known = columns_of(file, table);
  std::string sql;
  for (size_t i = 0; i < columns.size(); ++i) {
    const bool is_there = has(known, columns[i]);
    if (!is_there && i < required) {
      return {std::nullopt, named + " has no column " + std::string(columns[i])};
    }
    sql += i == 0 ? "SELECT " : ", ";
    sql += is_there ? in_quotes(columns[i]) : "NULL";
  }
  // An index may hold other rows than the table, where somebody made it so.
  const std::string from = " FROM main." + in_quotes(table) + " NOT INDEXED";
  Statement numbered(file, sql + ", rowid" + from);
  if (numbered.damage().empty() && !has(known, "rowid")) {
    numbered.expect_order_by(static_cast<int>(columns.size()));
    return {std::move(numbered), {}};
  }
  return {Statement(file, sql + from), {}};  // of a table whose rows have no numbers
}

}  // namespace batchscope::trace
