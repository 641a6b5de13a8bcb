#include "wait_credit.hpp"

#include <algorithm>
#include <utility>

namespace batchscope::attribution {

WaitCredit::WaitCredit(const std::vector<const std::vector<HostStretch>*>& members,
                       const Spans& idle) {
  std::vector<Span> waits;
  for (const auto* const stretches : members) {
    for (const HostStretch& each : *stretches) {
      if (each.state == HostState::waits) waits.push_back({each.start_ns, each.end_ns});
    }
  }
  // One by one: a file may hold many teams that hardly wait.
  for (const Span& wait : united(std::move(waits))) {
    const Spans busy = without({wait}, touching(idle, wait.start_ns, wait.end_ns));
    waited_.insert(waited_.end(), busy.begin(), busy.end());
  }
}

void WaitCredit::advance(int64_t to) {
  for (; next_ < waited_.size() && waited_[next_].start_ns < to; ++next_) {
    const Span& span = waited_[next_];
    left_ns_ += std::max<int64_t>(0, std::min(span.end_ns, to) - std::max(span.start_ns, at_));
    if (span.end_ns > to) break;
  }
  at_ = std::max(at_, to);
}

int64_t WaitCredit::take(int64_t wanted_ns) {
  const int64_t taken = std::min(left_ns_, wanted_ns);
  left_ns_ -= taken;
  return taken;
}

}  // namespace batchscope::attribution
