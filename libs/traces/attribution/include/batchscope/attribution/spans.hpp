#pragma once

#include <cstdint>
#include <vector>

namespace batchscope::attribution {

struct Span {
  int64_t start_ns = 0;
  int64_t end_ns = 0;
  int64_t length_ns() const { return end_ns - start_ns; }
  bool operator==(const Span&) const = default;
};

// In order, apart from each other, none of them empty.
using Spans = std::vector<Span>;

// All moments that lie in one of the spans, which may come in any order and overlap.
Spans united(std::vector<Span> spans);
Spans united(const Spans& some, const Spans& others);
// Those of `spans` that lie in none of `without`.
Spans without(const Spans& spans, const Spans& without);
// Those between `start` and `end` that lie in none of the spans.
Spans between(const Spans& spans, int64_t start_ns, int64_t end_ns);
// Those of which some lies between `start` and `end`, whole.
Spans touching(const Spans& spans, int64_t start_ns, int64_t end_ns);

int64_t length_ns(const Spans& spans);
// Of the moments that lie in both.
int64_t overlap_ns(const Spans& spans, const Spans& others);

}  // namespace batchscope::attribution
