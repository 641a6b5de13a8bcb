#include "batchscope/attribution/traced_work.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "batchscope/attribution/attribution.hpp"
#include "batchscope/attribution/spans.hpp"
#include "batchscope/attribution/totals.hpp"
#include "batchscope/base/capped_sum.hpp"

namespace batchscope::attribution {
namespace {

using base::capped_sum;
using schema::Operation;
using trace::ActivityKind;

std::optional<schema::OperationKind> kind_of(ActivityKind kind) {
  switch (kind) {
    case ActivityKind::op:
    case ActivityKind::range:
      return schema::OperationKind::op;
    case ActivityKind::runtime:
      return schema::OperationKind::runtime;
    case ActivityKind::kernel:
      return schema::OperationKind::kernel;
    case ActivityKind::memcpy:
      return schema::OperationKind::memcpy;
    case ActivityKind::memset:
      return schema::OperationKind::memset;
    default:
      return std::nullopt;
  }
}

std::optional<int64_t> if_known(int64_t value) {
  return value > 0 ? std::optional(value) : std::nullopt;
}

// The recorder says whole per cents, the table holds a float: its last digits are nobody's.
std::optional<double> occupancy_of(const trace::LaunchFacts& launch) {
  if (launch.occupancy < 0) return std::nullopt;
  return std::round(static_cast<double>(launch.occupancy) * 1e4) / 1e4;
}

Operation operation_of(const Total& total, schema::OperationKind kind) {
  Operation made;
  made.name = total.name;
  made.kind = kind;
  made.calls = total.calls;
  made.total_ns = total.total_ns;
  made.self_ns = total.self_ns;
  made.grid_blocks = if_known(total.launch.grid_blocks);
  made.threads_per_block = if_known(total.launch.threads_per_block);
  made.blocks_per_sm = if_known(total.launch.blocks_per_multiprocessor);
  made.occupancy = occupancy_of(total.launch);
  if (kind != schema::OperationKind::memcpy) return made;
  made.bytes = if_known(total.bytes);
  made.pageable = total.copy.host_memory == trace::HostMemory::pageable;
  return made;
}

void add(const Operation& more, Operation& to) {
  to.calls += more.calls;
  to.total_ns = capped_sum(to.total_ns, more.total_ns);
  to.self_ns = capped_sum(to.self_ns, more.self_ns);
  if (more.bytes) to.bytes = capped_sum(to.bytes.value_or(0), *more.bytes);
}

void sort_by_self_time(std::vector<Operation>& operations) {
  std::sort(operations.begin(), operations.end(), [](const Operation& a, const Operation& b) {
    return a.self_ns != b.self_ns ? a.self_ns > b.self_ns : a.name < b.name;
  });
}

void fold_the_rest(std::vector<Operation>& operations, size_t most) {
  if (operations.size() <= most) return;
  std::map<std::string, Operation> others;
  for (size_t i = most; i < operations.size(); ++i) {
    Operation& other = others[std::string(operations[i].kind.text())];
    other.name = "other";
    other.kind = operations[i].kind;
    add(operations[i], other);
  }
  operations.resize(most);
  for (auto& [kind, other] : others) operations.push_back(std::move(other));
  sort_by_self_time(operations);
}

// A range that is called as an operator is one with it.
std::vector<Operation> operations_of(const trace::Trace& trace) {
  std::vector<Operation> operations;
  std::map<std::string, size_t> of_the_host;
  for (const Total& total : totals(TraceIndex(trace))) {
    const auto kind = kind_of(total.kind);
    // What marks the iterations is no work of theirs.
    if (!kind || is_recorded_step(total.name)) continue;
    if (*kind == schema::OperationKind::op) {
      const auto [known, is_new] = of_the_host.emplace(total.name, operations.size());
      if (!is_new) {
        add(operation_of(total, *kind), operations[known->second]);
        continue;
      }
    }
    operations.push_back(operation_of(total, *kind));
  }
  return operations;
}

std::optional<int64_t> busy_time(const trace::Trace& trace) {
  std::vector<Span> worked;
  for (size_t row = 0; row < trace.activities.size(); ++row) {
    if (!occupies_device(trace.activities.kind[row])) continue;
    worked.push_back({trace.activities.start_ns[row], trace.activities.end_ns(row)});
  }
  if (worked.empty()) return std::nullopt;
  int64_t busy = 0;
  for (const Span& span : united(std::move(worked))) busy = capped_sum(busy, span.length_ns());
  return busy;
}

std::optional<int64_t> multiprocessors_of(const trace::Trace& trace) {
  for (const trace::LaunchFacts& launch : trace.launches) {
    if (launch.multiprocessors > 0) return launch.multiprocessors;
  }
  return std::nullopt;
}

}  // namespace

TracedWork traced_work(const trace::Trace& trace, size_t most) {
  TracedWork work;
  work.operations = operations_of(trace);
  sort_by_self_time(work.operations);
  fold_the_rest(work.operations, most);
  work.device_busy_ns = busy_time(trace);
  work.multiprocessors = multiprocessors_of(trace);
  return work;
}

}  // namespace batchscope::attribution
