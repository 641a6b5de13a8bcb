#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "batchscope/attribution/spans.hpp"
#include "batchscope/trace/trace.hpp"
#include "name_classes.hpp"

namespace batchscope::attribution {

// Which activity of a thread was the innermost, from moment to moment: operators, ranges, calls
// and Python functions, but for the recorder's steps. Spans are asked for in the order of time; an
// earlier one costs a new beginning.
class Innermost {
 public:
  Innermost(const trace::Trace& trace, const std::vector<NameClass>& classes, uint32_t track);

  struct Part {
    Span span;
    uint32_t row = trace::kNone;
  };
  // The span, of the gap of that number, in parts, in order. They also count in around().
  const std::vector<Part>& within(Span span, int64_t gap);

  // Of all spans that were asked for: how much of them lies in activities of one name, or in what
  // they call, and how deep the deepest of these is.
  struct Around {
    int64_t ns = 0;
    size_t depth = 0;
    uint32_t row = trace::kNone;  // the last of them
    int64_t calls = 0;
    int64_t gaps = 0;
    int64_t last_gap = -1;
  };
  std::map<uint32_t, Around> around() const;

 private:
  struct Open {
    uint32_t row = trace::kNone;
    int64_t asked_before_ns = 0;  // of what was asked for until it was opened
    int64_t gaps = 0;             // that it lies in
    int64_t first_gap = -1;
    int64_t last_gap = -1;
  };

  void go_to(int64_t time, bool asked);
  void open(uint32_t row);
  void close();
  void count_gap();
  void count(const Open& each, size_t depth, std::map<uint32_t, Around>& into) const;

  const trace::Trace& trace_;
  const std::vector<NameClass>& classes_;
  uint32_t track_;
  size_t next_ = 0;
  int64_t now_ = INT64_MIN;
  int64_t asked_ns_ = 0;
  int64_t gap_ = -1;  // that is asked for
  std::vector<Open> open_;
  std::vector<uint32_t> open_names_;  // how often each name is open
  std::map<uint32_t, Around> closed_;
  std::vector<Part> parts_;
};

}  // namespace batchscope::attribution
