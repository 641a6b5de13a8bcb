#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "activity/innermost.hpp"
#include "activity/name_classes.hpp"
#include "batchscope/attribution/spans.hpp"
#include "batchscope/attribution/time_parts.hpp"
#include "batchscope/trace/trace.hpp"

namespace batchscope::attribution {

// A piece of a gap, and why it is there.
struct CausedPiece {
  Span span;
  Part part = Part::unknown;
  uint32_t row = trace::kNone;    // that it lies in, or that was held back
  uint32_t track = trace::kNone;  // of the thread that explains it
};

// What the idle time of each cause lies in: by cause and name. Pieces are added in the order of
// time; what lies outside of `within`, which outlives this, does not count.
class IdleSites {
 public:
  IdleSites(const trace::Trace& trace, const std::vector<NameClass>& classes, const Spans& within)
      : trace_(trace), classes_(classes), within_(within) {}

  struct IdleSite {
    int64_t ns = 0;
    int64_t gaps = 0;
    int64_t longest_ns = 0;
    uint32_t row = trace::kNone;  // of the longest
    int64_t last_gap = -1;
    int64_t calls = 0;
    uint32_t last_row = trace::kNone;
  };
  // By cause and number of a name; kNone: nothing that was recorded.
  using ByName = std::map<std::pair<Part, uint32_t>, IdleSite>;

  void add_gap(const std::vector<CausedPiece>& pieces);

  const ByName& all() const { return all_; }
  // Of the gap that was added last, what most of its time of that cause lies in.
  uint32_t row_of(Part cause) const;
  // The deepest activity of a thread that nearly all of the host's idle time lies in, with what it
  // calls.
  std::optional<IdleSite> around_host_work() const;

 private:
  void add(const CausedPiece& piece, Span span);
  void add(uint32_t row, Span span, Part part);
  void add_host_work(uint32_t track, Span span);

  const trace::Trace& trace_;
  const std::vector<NameClass>& classes_;
  const Spans& within_;
  std::map<uint32_t, Innermost> innermost_;  // by track
  int64_t host_ns_ = 0;
  int64_t gap_ = -1;  // the number of the one that is looked at
  ByName all_;
  ByName in_gap_;
};

}  // namespace batchscope::attribution
