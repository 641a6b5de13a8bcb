#include "host_states.hpp"

#include <algorithm>

namespace batchscope::attribution {
namespace {

using trace::ActivityKind;

// What takes longer and holds other operators is no operator but a range that somebody put around
// them, which recorders before 2022 write as one: what it does between them is its own.
constexpr int64_t kLongestOperator = 1'000'000;

class Sweep {
 public:
  Sweep(const trace::Trace& trace, size_t track, const std::vector<NameClass>& classes,
        const std::unordered_set<uint32_t>& pageable_copies)
      : rows_(trace.activities),
        classes_(classes),
        pageable_copies_(pageable_copies),
        first_(trace.first_of_track[track]),
        last_(trace.first_of_track[track + 1]) {}

  std::vector<HostSpan> run() {
    find_starts();
    for (size_t row = first_; row < last_; ++row) {
      const HostState own = state_of(row);
      if (own == HostState::nothing || rows_.duration_ns[row] == 0) continue;
      advance(rows_.start_ns[row]);
      open(row, own);
    }
    advance(INT64_MAX);
    return std::move(spans_);
  }

 private:
  struct Open {
    int64_t end_ns;
    HostState state;  // of the moments in which it is the innermost
    uint32_t row;
  };

  HostState state_of(size_t row) const {
    const NameClass& name = classes_[rows_.name[row]];
    switch (rows_.kind[row]) {
      case ActivityKind::runtime:
        return state_of_call(row, name);
      case ActivityKind::op:
      case ActivityKind::range:
        if (name.loads_data && !starts_kernels(row)) return HostState::loads;
        return is_operator(row, name) ? HostState::works : HostState::nothing;
      case ActivityKind::python:
        return name.loads_data_in_python ? HostState::loads : HostState::nothing;
      default:
        return HostState::nothing;
    }
  }

  // One that takes long loads modules, makes streams or graphs: work that has nothing to do with
  // how fast kernels are launched.
  HostState state_of_call(size_t row, const NameClass& name) const {
    if (name.waits || name.allocates || waits_for_a_copy(row, name)) return HostState::waits;
    const int64_t most = name.launches || name.copies ? kLongestLaunch : kLongHostWork;
    return rows_.duration_ns[row] > most ? HostState::works : HostState::launches;
  }

  bool waits_for_a_copy(size_t row, const NameClass& name) const {
    return name.copies && pageable_copies_.contains(static_cast<uint32_t>(row));
  }

  bool is_operator(size_t row, const NameClass& name) const {
    if (rows_.kind[row] != ActivityKind::op || name.is_recorded_step) return false;
    if (rows_.duration_ns[row] < kLongestOperator) return true;
    const uint32_t inner = next_ops_[row + 1 - first_];
    return inner == trace::kNone || rows_.start_ns[inner] >= rows_.end_ns(row);
  }

  // Whether a call within it starts kernels, or anything on a device.
  bool starts_kernels(size_t row) const { return within(row, next_kernels_); }
  bool starts_anything(size_t row) const { return within(row, next_any_); }
  bool within(size_t row, const std::vector<uint32_t>& next) const {
    const uint32_t inner = next[row - first_];
    return inner != trace::kNone && rows_.start_ns[inner] < rows_.end_ns(row);
  }

  // For each row the first one at or behind it that starts something, and the first operator.
  void find_starts() {
    next_kernels_.resize(last_ - first_);
    next_any_.resize(last_ - first_);
    next_ops_.assign(last_ - first_ + 1, trace::kNone);
    uint32_t kernels = trace::kNone;
    uint32_t any = trace::kNone;
    for (size_t row = last_; row-- > first_;) {
      const bool is_op = rows_.kind[row] == ActivityKind::op;
      next_ops_[row - first_] = is_op ? static_cast<uint32_t>(row) : next_ops_[row + 1 - first_];
      if (rows_.kind[row] == ActivityKind::runtime) {
        if (classes_[rows_.name[row]].launches) kernels = static_cast<uint32_t>(row);
        if (kernels == row || rows_.correlation[row] >= 0) any = static_cast<uint32_t>(row);
      }
      next_kernels_[row - first_] = kernels;
      next_any_[row - first_] = any;
    }
  }

  void open(size_t row, HostState own) {
    const HostState around = open_.empty() ? HostState::nothing : open_.back().state;
    HostState state = own;
    if (around == HostState::loads || (around == HostState::waits && own != HostState::loads)) {
      state = around;
    } else if (own == HostState::works && rows_.kind[row] != ActivityKind::runtime) {
      // Operators within others are what the outermost is.
      const bool outermost = around == HostState::nothing;
      if (!outermost) state = around;
      if (outermost && starts_anything(row)) state = HostState::launches;
    }
    uint32_t shown = static_cast<uint32_t>(row);
    if (state == around && !open_.empty()) shown = open_.back().row;
    open_.push_back({rows_.end_ns(row), state, shown});
  }

  void advance(int64_t to) {
    while (!open_.empty() && now_ < to) {
      const Open innermost = open_.back();
      const int64_t until = std::min(innermost.end_ns, to);
      if (until > now_) {
        add({now_, until, innermost.state, innermost.row});
        now_ = until;
      }
      if (innermost.end_ns <= now_) open_.pop_back();
    }
    now_ = std::max(now_, to);
  }

  void add(const HostSpan& next) {
    if (!spans_.empty()) {
      HostSpan& last = spans_.back();
      const bool same =
          last.state == next.state && (last.row == next.row || next.state != HostState::waits);
      if (last.end_ns == next.start_ns && same) {
        last.end_ns = next.end_ns;
        if (last.row != next.row && next.state == HostState::works) last.row = trace::kNone;
        return;
      }
    }
    spans_.push_back(next);
  }

  const trace::ActivityTable& rows_;
  const std::vector<NameClass>& classes_;
  const std::unordered_set<uint32_t>& pageable_copies_;
  size_t first_;
  size_t last_;
  std::vector<uint32_t> next_kernels_;
  std::vector<uint32_t> next_any_;
  std::vector<uint32_t> next_ops_;
  std::vector<Open> open_;
  std::vector<HostSpan> spans_;
  int64_t now_ = INT64_MIN;
};

// Operators that start nothing, one after the other, are work of the host once they take long
// together: then they are one stretch, with what lies between them.
void join_work(std::vector<HostSpan>& spans) {
  size_t kept = 0;
  for (size_t i = 0; i < spans.size();) {
    size_t last = i;
    const auto goes_on = [&](size_t next) {
      return next < spans.size() && spans[next].state == HostState::works &&
             spans[next].start_ns - spans[last].end_ns < kLongHostWork;
    };
    while (spans[i].state == HostState::works && goes_on(last + 1)) ++last;
    HostSpan joined = spans[i];
    joined.end_ns = spans[last].end_ns;
    if (last > i) joined.row = trace::kNone;
    if (joined.end_ns - joined.start_ns >= kLongHostRun) {
      spans[kept++] = joined;
      i = last + 1;
    } else {
      for (; i <= last; ++i) spans[kept++] = spans[i];
    }
  }
  spans.resize(kept);
}

}  // namespace

std::unordered_set<uint32_t> pageable_copies(const trace::Trace& trace,
                                             const Correlations& correlations) {
  std::unordered_set<uint32_t> calls;
  const auto& rows = trace.activities;
  for (size_t track = 0; track < trace.tracks.size(); ++track) {
    if (!trace.tracks[track].on_device()) continue;
    for (size_t row = trace.first_of_track[track]; row < trace.first_of_track[track + 1]; ++row) {
      if (rows.kind[row] != ActivityKind::memcpy) continue;
      const trace::CopyFacts* const copy = trace.copy_of(row);
      if (copy == nullptr || copy->host_memory != trace::HostMemory::pageable) continue;
      if (const auto call = correlations.launch_of(row)) calls.insert(static_cast<uint32_t>(*call));
    }
  }
  return calls;
}

int64_t long_pause_ns(const std::vector<HostSpan>& states) {
  std::vector<int64_t> pauses;
  for (size_t i = 1; i < states.size(); ++i) {
    const bool launches =
        states[i - 1].state == HostState::launches && states[i].state == HostState::launches;
    const int64_t pause = states[i].start_ns - states[i - 1].end_ns;
    if (launches && pause > 0) pauses.push_back(pause);
  }
  if (pauses.empty()) return kLongHostWork;
  const auto middle = pauses.begin() + static_cast<std::ptrdiff_t>(pauses.size() / 2);
  std::nth_element(pauses.begin(), middle, pauses.end());
  return std::clamp(3 * *middle, kLongHostWork, kLongHostRun);
}

std::vector<HostSpan> host_states(const trace::Trace& trace, size_t track,
                                  const std::vector<NameClass>& classes,
                                  const std::unordered_set<uint32_t>& pageable_copies) {
  std::vector<HostSpan> spans = Sweep(trace, track, classes, pageable_copies).run();
  join_work(spans);
  return spans;
}

}  // namespace batchscope::attribution
