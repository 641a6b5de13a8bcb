#include "host_parts.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "batchscope/base/enum_names.hpp"
#include "batchscope/base/strings.hpp"

namespace batchscope::attribution {
namespace {

using base::contains_any_text;
using trace::ActivityKind;

constexpr std::array<base::Name<HostPart>, 7> kHostPartNames{{
    {HostPart::loading, "loading"},
    {HostPart::forward, "forward"},
    {HostPart::backward, "backward"},
    {HostPart::optimizer, "optimizer"},
    {HostPart::communication, "communication"},
    {HostPart::other, "other"},
    {HostPart::nothing, "nothing"},
}};

constexpr std::array<std::string_view, 3> kOptimizerNames{"optimizer.step", "optimizer.zero_grad",
                                                          "torch/optim/"};
constexpr std::array<std::string_view, 2> kBackwardNames{"autograd::engine", "backward"};
constexpr std::array<std::string_view, 3> kCommunicationNames{"gloo:", "mpi:", "c10d::"};

HostPart part_of(const std::string& name, const NameClass& known) {
  if (known.loads_data || known.loads_data_in_python) return HostPart::loading;
  const std::string plain = base::to_lower(name);
  if (known.communicates || contains_any_text(plain, kCommunicationNames)) {
    return HostPart::communication;
  }
  if (contains_any_text(plain, kOptimizerNames)) return HostPart::optimizer;
  if (contains_any_text(plain, kBackwardNames)) return HostPart::backward;
  return HostPart::other;
}

struct OpenPart {
  int64_t end_ns = 0;
  HostPart part = HostPart::nothing;
  uint32_t around = 0;  // parts that are open, a bit each
};

// Hands on stretches in which the same things are open: use(span, the innermost of them).
template <class Use>
class PartWalk {
 public:
  explicit PartWalk(Use use) : use_(std::move(use)) {}

  void open(int64_t start_ns, int64_t end_ns, HostPart part) {
    advance(start_ns);
    const uint32_t around = open_.empty() ? 0 : open_.back().around;
    open_.push_back({end_ns, part, around | (1U << static_cast<unsigned>(part))});
  }
  HostPart around() const { return open_.empty() ? HostPart::nothing : open_.back().part; }

  void advance(int64_t to) {
    while (!open_.empty() && now_ < to) {
      const OpenPart innermost = open_.back();
      const int64_t until = std::min(innermost.end_ns, to);
      if (until > now_) use_(Span{now_, until}, innermost);
      now_ = std::max(now_, until);
      if (innermost.end_ns <= now_) open_.pop_back();
    }
    now_ = std::max(now_, to);
  }

 private:
  Use use_;
  std::vector<OpenPart> open_;
  int64_t now_ = INT64_MIN;
};

// Loading takes in whatever it calls; what decides nothing is what is around it, and operators
// outside of all others are the forward pass.
HostPart resolved(HostPart own, ActivityKind kind, HostPart around) {
  if (around == HostPart::loading || own == HostPart::loading) return HostPart::loading;
  if (own != HostPart::other) return own;
  const bool is_outside = around == HostPart::nothing || around == HostPart::other;
  if (!is_outside) return around;
  return kind == ActivityKind::op ? HostPart::forward : HostPart::other;
}

template <class Use>
void walk(const trace::Trace& trace, size_t track, const std::vector<NameClass>& classes,
          const std::vector<HostPart>& parts, Use use) {
  PartWalk walked(std::move(use));
  const auto& rows = trace.activities;
  for (size_t row = trace.first_of_track[track]; row < trace.first_of_track[track + 1]; ++row) {
    const ActivityKind kind = rows.kind[row];
    const HostPart own = parts[rows.name[row]];
    // Of Python only what decides counts, and steps are no work.
    const bool is_silent = kind == ActivityKind::python && own == HostPart::other;
    if (!on_host(kind) || is_silent || classes[rows.name[row]].is_recorded_step) continue;
    walked.advance(rows.start_ns[row]);
    walked.open(rows.start_ns[row], rows.end_ns(row), resolved(own, kind, walked.around()));
  }
  walked.advance(INT64_MAX);
}

}  // namespace

std::string_view to_string(HostPart part) {
  return base::name_of(kHostPartNames, part);
}

std::vector<HostPart> host_parts_of(const trace::Trace& trace,
                                    const std::vector<NameClass>& classes) {
  std::vector<HostPart> parts;
  parts.reserve(trace.names.size());
  for (size_t i = 0; i < trace.names.size(); ++i) {
    parts.push_back(part_of(trace.names[i], classes[i]));
  }
  return parts;
}

PartSpans part_spans(const trace::Trace& trace, size_t track, const std::vector<NameClass>& classes,
                     const std::vector<HostPart>& parts) {
  PartSpans spans;
  walk(trace, track, classes, parts, [&](const Span& next, const OpenPart& innermost) {
    Spans& same = spans.at(static_cast<size_t>(innermost.part));
    if (!same.empty() && same.back().end_ns == next.start_ns) {
      same.back().end_ns = next.end_ns;
    } else {
      same.push_back(next);
    }
  });
  return spans;
}

HostParts inclusive_parts(const trace::Trace& trace, size_t track,
                          const std::vector<NameClass>& classes, const std::vector<HostPart>& parts,
                          const Spans& window) {
  HostParts inclusive;
  walk(trace, track, classes, parts, [&](const Span& span, const OpenPart& innermost) {
    for_each_within(window, span, [&](Span within) {
      for (size_t part = 0; part < kHostParts; ++part) {
        if ((innermost.around >> part & 1U) != 0) inclusive.ns.at(part) += within.length_ns();
      }
    });
  });
  return inclusive;
}

}  // namespace batchscope::attribution
