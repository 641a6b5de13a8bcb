#include "halves.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace batchscope::trace {
namespace {

struct Placed {
  Half half;
  size_t chunk = 0;
};

auto thread_of(const Placed& placed) {
  return std::tuple(placed.half.process, placed.half.thread);
}

bool comes_before(const Placed& a, const Placed& b) {
  return std::tuple(thread_of(a), a.half.activity.start_ns) <
         std::tuple(thread_of(b), b.half.activity.start_ns);
}

// Of the same time the file's order decides.
std::vector<Placed> in_order(std::vector<NumberedChunk>& chunks) {
  std::vector<Placed> all;
  for (size_t i = 0; i < chunks.size(); ++i) {
    for (const Half& half : std::exchange(chunks[i].chunk.halves, {})) all.push_back({half, i});
  }
  std::stable_sort(all.begin(), all.end(), comes_before);
  return all;
}

void skip(const Placed& placed, std::vector<NumberedChunk>& chunks) {
  Chunk& chunk = chunks[placed.chunk].chunk;
  ++chunk.skipped;
  chunk.problem(placed.half.is_begin ? "a begin (ph B) without its end"
                                     : "an end (ph E) without its begin");
}

}  // namespace

void join_halves(std::vector<NumberedChunk>& chunks) {
  std::vector<Placed> open;
  const auto skip_open = [&] {
    for (const Placed& left : open) skip(left, chunks);
    open.clear();
  };
  for (const Placed& placed : in_order(chunks)) {
    if (!open.empty() && thread_of(open.back()) != thread_of(placed)) skip_open();
    if (placed.half.is_begin) {
      open.push_back(placed);
    } else if (open.empty()) {
      skip(placed, chunks);
    } else {
      Activity activity = open.back().half.activity;
      activity.duration_ns = placed.half.activity.start_ns - activity.start_ns;
      chunks[open.back().chunk].chunk.activities.add(activity);
      open.pop_back();
    }
  }
  skip_open();
}

}  // namespace batchscope::trace
