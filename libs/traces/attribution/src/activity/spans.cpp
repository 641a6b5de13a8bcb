#include "batchscope/attribution/spans.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace batchscope::attribution {

Spans united(std::vector<Span> spans) {
  const auto earlier = [](const Span& a, const Span& b) { return a.start_ns < b.start_ns; };
  if (!std::is_sorted(spans.begin(), spans.end(), earlier)) {
    std::sort(spans.begin(), spans.end(), earlier);
  }
  size_t kept = 0;
  for (const Span& span : spans) {
    if (span.end_ns <= span.start_ns) continue;
    if (kept > 0 && span.start_ns <= spans[kept - 1].end_ns) {
      spans[kept - 1].end_ns = std::max(spans[kept - 1].end_ns, span.end_ns);
    } else {
      spans[kept++] = span;
    }
  }
  spans.resize(kept);
  return spans;
}

Spans united(const Spans& some, const Spans& others) {
  std::vector<Span> both;
  both.reserve(some.size() + others.size());
  std::merge(some.begin(), some.end(), others.begin(), others.end(), std::back_inserter(both),
             [](const Span& a, const Span& b) { return a.start_ns < b.start_ns; });
  return united(std::move(both));
}

Spans without(const Spans& spans, const Spans& without) {
  Spans left;
  auto cut = without.begin();
  for (Span span : spans) {
    while (cut != without.end() && cut->end_ns <= span.start_ns) ++cut;
    for (auto each = cut; each != without.end() && each->start_ns < span.end_ns; ++each) {
      if (each->start_ns > span.start_ns) left.push_back({span.start_ns, each->start_ns});
      span.start_ns = std::max(span.start_ns, each->end_ns);
    }
    if (span.start_ns < span.end_ns) left.push_back(span);
  }
  return left;
}

Spans between(const Spans& spans, int64_t start_ns, int64_t end_ns) {
  if (end_ns <= start_ns) return {};
  return without({{start_ns, end_ns}}, touching(spans, start_ns, end_ns));
}

Spans touching(const Spans& spans, int64_t start_ns, int64_t end_ns) {
  const auto first = std::partition_point(
      spans.begin(), spans.end(), [&](const Span& each) { return each.end_ns <= start_ns; });
  const auto last = std::partition_point(first, spans.end(),
                                         [&](const Span& each) { return each.start_ns < end_ns; });
  return {first, last};
}

int64_t length_ns(const Spans& spans) {
  int64_t sum = 0;
  for (const Span& span : spans) sum += span.length_ns();
  return sum;
}

int64_t overlap_ns(const Spans& spans, const Spans& others) {
  return length_ns(spans) - length_ns(without(spans, others));
}

}  // namespace batchscope::attribution
