#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "batchscope/findings/finding.hpp"

namespace batchscope::watch {

// Once, without an end where it still does.
struct Episode {
  int64_t since_ns = 0;
  std::optional<int64_t> ended_ns{};
};

// A finding for as long as it stands. Times are those of the samples.
struct ActiveFinding {
  findings::Finding finding;  // as it was last seen; its place has the time at which it began
  int64_t since_ns = 0;       // when its condition began to hold
  std::optional<int64_t> ended_ns{};
  // Where several times are told as one the first began it, and the last ended it.
  int64_t times = 1;
  double gaps_seconds = 0;          // between them, in which it did not stand
  std::vector<Episode> episodes{};  // the last of them, at most 64; empty: it was once
};

// For how long it stood in all, until it ended or until now; not less than 0.
double active_seconds(const ActiveFinding& active, int64_t now_ns);

// Whether it weighs at least as much now as it did: by its severity, then by its first number where
// that is a share. While a window empties of what was wrong, it seems to be less.
bool is_no_better(const findings::Finding& now, const findings::Finding& before);

}  // namespace batchscope::watch
