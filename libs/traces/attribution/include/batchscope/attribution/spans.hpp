#pragma once

#include <algorithm>
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

// Calls visit(Span) for what of `span` lies in each of the spans.
template <class Visit>
void for_each_within(const Spans& spans, Span span, Visit visit) {
  auto each = std::partition_point(
      spans.begin(), spans.end(), [&](const Span& other) { return other.end_ns <= span.start_ns; });
  for (; each != spans.end() && each->start_ns < span.end_ns; ++each) {
    const Span both{std::max(each->start_ns, span.start_ns), std::min(each->end_ns, span.end_ns)};
    if (both.end_ns > both.start_ns) visit(both);
  }
}

int64_t length_ns(const Spans& spans);
// Of the moments that lie in both.
int64_t overlap_ns(const Spans& spans, const Spans& others);

}  // namespace batchscope::attribution
