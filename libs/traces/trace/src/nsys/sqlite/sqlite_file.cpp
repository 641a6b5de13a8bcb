#include "sqlite_file.hpp"

#include <sqlite3.h>

#include <array>
#include <fstream>
#include <system_error>
#include <utility>

#include "batchscope/base/strings.hpp"

namespace batchscope::trace {
namespace {

constexpr int kOperationsBetween = 1000;  // that the allowance is looked at

// SQLite takes the path as a URI, in which it can be told that nobody writes to the file.
std::string uri_of(const std::filesystem::path& path) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string uri = "file://";
  for (const char c : std::filesystem::absolute(path).string()) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || c == '/' || c == '.' || c == '-' || c == '_';
    if (is_plain) {
      uri += c;
    } else {
      uri += {'%', kDigits[byte >> 4U], kDigits[byte & 15U]};
    }
  }
  return uri + "?immutable=1";
}

int only_reads(void* /*state*/, int action, const char* /*what*/, const char* /*column*/,
               const char* /*database*/, const char* /*inner*/) {
  const bool reads = action == SQLITE_SELECT || action == SQLITE_READ || action == SQLITE_PRAGMA;
  return reads ? SQLITE_OK : SQLITE_DENY;
}

// The bytes that the file should have by its own header; 0 where that does not say.
int64_t bytes_by_header(const std::filesystem::path& path) {
  std::array<unsigned char, 100> header{};
  std::ifstream in(path, std::ios::binary);
  if (!in.read(reinterpret_cast<char*>(header.data()), header.size())) return 0;
  const auto number = [&](size_t at, size_t size) {
    int64_t value = 0;
    for (size_t i = at; i < at + size; ++i) value = value * 256 + header[i];
    return value;
  };
  const int64_t page = number(16, 2) == 1 ? 65536 : number(16, 2);
  return number(24, 4) == number(92, 4) ? page * number(28, 4) : 0;
}

bool has_journal_beside(const std::filesystem::path& path) {
  for (const char* const suffix : {"-journal", "-wal"}) {
    std::error_code error;
    const auto size = std::filesystem::file_size(path.string() + suffix, error);
    if (!error && size > 0) return true;
  }
  return false;
}

base::Error not_opened(const SqliteFile& file, const std::filesystem::path& path) {
  constexpr const char* kAgain =
      "copy it again, or export it again with `nsys export --type sqlite`";
  const int64_t full = bytes_by_header(path);
  if (full > file.bytes()) {
    return {base::ErrorKind::input,
            "is truncated: it has " + std::to_string(file.bytes()) + " bytes of " +
                std::to_string(full),
            path.string(), kAgain};
  }
  return {base::ErrorKind::input, "cannot read it as SQLite: " + file.complaint(), path.string(),
          kAgain};
}

}  // namespace

struct SqliteFile::Connection {
  sqlite3* handle = nullptr;
  Allowance allowance;

  ~Connection() { sqlite3_close(handle); }

  static int keep_going(void* state) {
    auto& self = *static_cast<Connection*>(state);
    self.allowance.operations -= kOperationsBetween;
    for (const int kind : {SQLITE_DBSTATUS_CACHE_HIT, SQLITE_DBSTATUS_CACHE_MISS}) {
      int now = 0;
      int highest = 0;
      sqlite3_db_status(self.handle, kind, &now, &highest, /*resetFlg=*/1);
      self.allowance.pages -= now;
    }
    return self.allowance.is_used_up() ? 1 : 0;
  }
};

SqliteFile::SqliteFile(int64_t bytes) : connection_(std::make_unique<Connection>()), bytes_(bytes) {
  // With room for the smallest of files; each is several times what a row of an export takes.
  connection_->allowance = {bytes / 8 + 10'000, bytes * 2 + 100'000, bytes * 4 + 10'000'000,
                            bytes + 100'000};
}

SqliteFile::SqliteFile(SqliteFile&&) noexcept = default;
SqliteFile::~SqliteFile() = default;

sqlite3* SqliteFile::handle() const {
  return connection_->handle;
}

Allowance& SqliteFile::allowance() const {
  return connection_->allowance;
}

std::string SqliteFile::complaint() const {
  if (allowance().is_used_up()) return "it seems to hold more than its size allows";
  return base::visible(sqlite3_errmsg(handle()));
}

int SqliteFile::connect(const std::filesystem::path& path) {
  const int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX;
  const int outcome =
      sqlite3_open_v2(uri_of(path).c_str(), &connection_->handle, flags, /*zVfs=*/nullptr);
  if (outcome != SQLITE_OK) return outcome;
  harden();
  // The first statement reads the header and the list of tables.
  return sqlite3_exec(handle(), "PRAGMA cell_size_check=ON; SELECT 1 FROM sqlite_master LIMIT 1",
                      nullptr, nullptr, nullptr);
}

void SqliteFile::harden() {
  sqlite3* const handle = connection_->handle;
  for (const auto& [setting, value] : {std::pair{SQLITE_DBCONFIG_DEFENSIVE, 1},
                                       {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
                                       {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
                                       {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
                                       {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
                                       {SQLITE_DBCONFIG_DQS_DML, 0}}) {
    sqlite3_db_config(handle, setting, value, nullptr);
  }
  for (const auto& [limit, value] : {std::pair{SQLITE_LIMIT_LENGTH, 16 << 20},
                                     {SQLITE_LIMIT_SQL_LENGTH, 1 << 20},
                                     {SQLITE_LIMIT_COLUMN, 2000},
                                     {SQLITE_LIMIT_EXPR_DEPTH, 100},
                                     {SQLITE_LIMIT_COMPOUND_SELECT, 10},
                                     {SQLITE_LIMIT_VDBE_OP, 100'000},
                                     {SQLITE_LIMIT_ATTACHED, 0},
                                     {SQLITE_LIMIT_TRIGGER_DEPTH, 1},
                                     {SQLITE_LIMIT_WORKER_THREADS, 0}}) {
    sqlite3_limit(handle, limit, value);
  }
  sqlite3_set_authorizer(handle, only_reads, nullptr);
  sqlite3_progress_handler(handle, kOperationsBetween, Connection::keep_going, connection_.get());
}

base::Result<SqliteFile> SqliteFile::open(const std::filesystem::path& path) {
  std::error_code error;
  const auto bytes = std::filesystem::file_size(path, error);
  if (error) {
    return base::Error{base::ErrorKind::input, "cannot read it: " + error.message(), path.string()};
  }
  SqliteFile file(static_cast<int64_t>(bytes));
  if (file.connect(path) != SQLITE_OK) return not_opened(file, path);
  file.has_journal_ = has_journal_beside(path);
  return file;
}

}  // namespace batchscope::trace
