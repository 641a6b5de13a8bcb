#include "reading.hpp"

#include <algorithm>
#include <utility>

namespace batchscope::trace {
namespace {

constexpr size_t kRowsOfAChunk = size_t{1} << 16;

// Of what is left, so that readings side by side seldom meet and each gets some of the last.
int64_t reserve(std::atomic<int64_t>& left) {
  constexpr int64_t kAtOnce = 4096;
  int64_t now = left.load();
  while (now > 0) {
    const int64_t share = std::clamp<int64_t>(now / 64, 1, kAtOnce);
    if (left.compare_exchange_weak(now, now - share)) return share;
  }
  return 0;
}

}  // namespace

SqliteReading::SqliteReading(SqliteFile& file, Numbering& numbering,
                             std::atomic<int64_t>& activities_left)
    : file_(file),
      numbering_(numbering),
      activities_left_(activities_left),
      names_(file, numbering.names) {}

SqliteReading::~SqliteReading() {
  activities_left_ += reserved_;
}

void SqliteReading::add(const Activity& activity) {
  --reserved_;
  chunk_.activities.add(activity);
  if (chunk_.activities.size() == kRowsOfAChunk) full_.push_back(std::exchange(chunk_, {}));
}

bool SqliteReading::has_room() {
  if (reserved_ > 0) return true;
  reserved_ = reserve(activities_left_);
  if (reserved_ > 0) return true;
  lose("more events than are read of one file");
  return false;
}

void SqliteReading::skip(std::string_view why) {
  ++chunk_.skipped;
  chunk_.problem(why);
}

void SqliteReading::lose(std::string_view what) {
  is_truncated_ = true;
  chunk_.problem(what);
}

std::vector<Chunk> SqliteReading::take() {
  full_.push_back(std::exchange(chunk_, {}));
  return std::exchange(full_, {});
}

}  // namespace batchscope::trace
