#include "trace_totals.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <string_view>
#include <utility>

namespace batchscope::torch_plugin {
namespace {

using Kind = TraceEvent::Kind;

schema::OperationKind operation_kind(Kind kind) {
  switch (kind) {
    case Kind::host_operator:
      return schema::OperationKind::op;
    case Kind::runtime:
      return schema::OperationKind::runtime;
    case Kind::kernel:
      return schema::OperationKind::kernel;
    case Kind::memcpy:
      return schema::OperationKind::memcpy;
    case Kind::memset:
      return schema::OperationKind::memset;
  }
  return schema::OperationKind::other;
}

bool on_device(const TraceEvent& event) {
  return event.kind != Kind::host_operator && event.kind != Kind::runtime;
}

// What one event adds to its row.
struct Share {
  int64_t self_ns = 0;
  int64_t total_ns = 0;
};

// Goes through one thread's events and gives every moment to the innermost open one. So nothing is
// counted twice, even where an event outlasts the one that it began in.
class ThreadWalk {
 public:
  ThreadWalk(const std::vector<TraceEvent>& events, std::vector<Share>& shares)
      : events_(events), shares_(shares) {}

  // In order of start, the longer first.
  void open(size_t index) {
    advance(events_[index].start_ns);
    const TraceEvent& event = events_[index];
    if (!inside_itself(event)) shares_[index].total_ns = event.end_ns - event.start_ns;
    open_.push_back(index);
  }

  void finish() { advance(std::numeric_limits<int64_t>::max()); }

 private:
  bool inside_itself(const TraceEvent& event) const {
    return std::any_of(open_.begin(), open_.end(), [&](size_t index) {
      const TraceEvent& outer = events_[index];
      return outer.end_ns > event.start_ns && outer.kind == event.kind && outer.name == event.name;
    });
  }

  void advance(int64_t to) {
    while (!open_.empty() && now_ < to) {
      const size_t innermost = open_.back();
      const int64_t until = std::min(events_[innermost].end_ns, to);
      if (until > now_) {
        shares_[innermost].self_ns += until - now_;
        now_ = until;
      }
      if (events_[innermost].end_ns <= now_) open_.pop_back();
    }
    now_ = std::max(now_, to);
  }

  const std::vector<TraceEvent>& events_;
  std::vector<Share>& shares_;
  std::vector<size_t> open_;  // those that ended are removed when they come to the top
  int64_t now_ = std::numeric_limits<int64_t>::min();
};

// Indices in order of start, the longer first, so that what calls comes before what is called.
std::vector<size_t> in_order(const std::vector<TraceEvent>& events) {
  std::vector<size_t> order(events.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return std::pair(events[a].start_ns, events[b].end_ns) <
           std::pair(events[b].start_ns, events[a].end_ns);
  });
  return order;
}

std::vector<Share> share_time(const std::vector<TraceEvent>& events,
                              const std::vector<size_t>& order) {
  std::vector<Share> shares(events.size());
  std::map<int64_t, ThreadWalk> threads;
  for (const size_t index : order) {
    const TraceEvent& event = events[index];
    const int64_t duration = event.end_ns - event.start_ns;
    if (on_device(event)) {
      shares[index] = {duration, duration};
    } else {
      threads.try_emplace(event.thread, events, shares).first->second.open(index);
    }
  }
  for (auto& [thread, walk] : threads) walk.finish();
  return shares;
}

std::optional<int64_t> busy_time(const std::vector<TraceEvent>& events,
                                 const std::vector<size_t>& order) {
  std::optional<int64_t> busy;
  int64_t covered_to = std::numeric_limits<int64_t>::min();
  for (const size_t index : order) {
    const TraceEvent& event = events[index];
    if (!on_device(event)) continue;
    const int64_t from = std::max(event.start_ns, covered_to);
    busy = busy.value_or(0) + std::max<int64_t>(0, event.end_ns - from);
    covered_to = std::max(covered_to, event.end_ns);
  }
  return busy;
}

struct Row {
  schema::Operation operation;
  int64_t longest_ns = -1;  // duration of the launch whose facts are shown
};

void add(Row& row, const TraceEvent& event, const Share& share) {
  schema::Operation& operation = row.operation;
  ++operation.calls;
  operation.total_ns += share.total_ns;
  operation.self_ns += share.self_ns;
  if (event.kind == Kind::memcpy) {
    operation.pageable = event.name.find("Pageable") != std::string::npos;
    if (event.facts.bytes) operation.bytes = operation.bytes.value_or(0) + *event.facts.bytes;
  }
  if (event.kind != Kind::kernel || share.self_ns <= row.longest_ns) return;
  row.longest_ns = share.self_ns;
  operation.grid_blocks = event.facts.grid_blocks;
  operation.threads_per_block = event.facts.threads_per_block;
  operation.blocks_per_sm = event.facts.blocks_per_sm;
  operation.occupancy = event.facts.occupancy;
}

void sort_by_self_time(std::vector<schema::Operation>& operations) {
  std::sort(operations.begin(), operations.end(), [](const auto& a, const auto& b) {
    return a.self_ns != b.self_ns ? a.self_ns > b.self_ns : a.name < b.name;
  });
}

void fold_the_rest(std::vector<schema::Operation>& operations, size_t most) {
  if (operations.size() <= most) return;
  std::map<std::string, schema::Operation> others;
  for (size_t i = most; i < operations.size(); ++i) {
    schema::Operation& other = others[std::string(operations[i].kind.text())];
    other.name = "other";
    other.kind = operations[i].kind;
    other.calls += operations[i].calls;
    other.total_ns += operations[i].total_ns;
    other.self_ns += operations[i].self_ns;
    if (operations[i].bytes) other.bytes = other.bytes.value_or(0) + *operations[i].bytes;
  }
  operations.resize(most);
  for (auto& [kind, other] : others) operations.push_back(std::move(other));
  sort_by_self_time(operations);
}

}  // namespace

TraceTotals sum_trace(const std::vector<TraceEvent>& events, size_t most) {
  const std::vector<size_t> order = in_order(events);
  const std::vector<Share> shares = share_time(events, order);
  TraceTotals totals;
  std::map<std::pair<Kind, std::string_view>, Row> rows;
  for (size_t i = 0; i < events.size(); ++i) {
    add(rows[{events[i].kind, events[i].name}], events[i], shares[i]);
    if (!totals.multiprocessors) totals.multiprocessors = events[i].facts.multiprocessors;
  }
  for (auto& [key, row] : rows) {
    row.operation.kind = operation_kind(key.first);
    row.operation.name = key.second;
    totals.operations.push_back(std::move(row.operation));
  }
  sort_by_self_time(totals.operations);
  fold_the_rest(totals.operations, most);
  totals.device_busy_ns = busy_time(events, order);
  return totals;
}

}  // namespace batchscope::torch_plugin
