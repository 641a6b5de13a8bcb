#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "batchscope/base/result.hpp"

struct sqlite3;

namespace batchscope::trace {

// What may still be asked of a file through one connection. Whatever a table honestly holds stands
// in the file once, so its size bounds rows, text and work; a file that is damaged or made to
// deceive may lead in circles and seem to hold far more.
struct Allowance {
  int64_t rows = 0;
  int64_t text_bytes = 0;
  int64_t operations = 0;  // of SQLite's machine
  int64_t pages = 0;       // fetched, from the file or from memory
  bool is_used_up() const { return rows < 0 || text_bytes < 0 || operations < 0 || pages < 0; }
};

// A connection that can only read, of a file that nobody may have prepared well: no view, trigger,
// function or virtual table of it is ever run. One a thread.
class SqliteFile {
 public:
  // Errors: input (it cannot be opened, is cut off, or its list of tables is damaged).
  static base::Result<SqliteFile> open(const std::filesystem::path& path);
  SqliteFile(SqliteFile&&) noexcept;
  SqliteFile& operator=(SqliteFile&&) = delete;
  ~SqliteFile();

  int64_t bytes() const { return bytes_; }
  // Whether a writer that was stopped, or has not ended, left something beside the file. That is
  // not read: rows may be missing, or have come to stand there too early.
  bool has_journal() const { return has_journal_; }
  sqlite3* handle() const;
  Allowance& allowance() const;
  // The last thing that went wrong, in SQLite's words.
  std::string complaint() const;

 private:
  struct Connection;
  explicit SqliteFile(int64_t bytes);
  int connect(const std::filesystem::path& path);
  void harden();

  std::unique_ptr<Connection> connection_;
  int64_t bytes_ = 0;
  bool has_journal_ = false;
};

}  // namespace batchscope::trace
