#include "batchscope/causes/diagnostics.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "batchscope/schema/diagnosis.hpp"
#include "size_facts.hpp"

namespace batchscope::causes {
namespace {

using findings::OperationCost;
using findings::OperationRow;
using tables::GroupData;
using tables::RunView;

constexpr std::size_t kMostRows = 60;
constexpr double kIdle = 0.1;  // of what the busiest thread did
constexpr double kNsAMs = 1e6;

std::optional<double> an_iteration(const std::optional<int64_t>& sum, double iterations,
                                   double unit = 1) {
  if (!sum) return std::nullopt;
  return static_cast<double>(*sum) / iterations / unit;
}

void add_threads(const schema::Diagnosis& seen, int threads, findings::SizeDiagnosis& size) {
  if (seen.thread_busy_ns.empty()) return;
  const auto busiest = static_cast<double>(seen.thread_busy_ns.front());
  size.busy_threads = static_cast<int>(
      std::count_if(seen.thread_busy_ns.begin(), seen.thread_busy_ns.end(),
                    [&](int64_t ns) { return static_cast<double>(ns) >= kIdle * busiest; }));
  size.imbalance = imbalance_of(seen, threads);
}

void add_memory(const schema::Diagnosis& seen, findings::SizeDiagnosis& size) {
  if (!seen.anonymous_bytes || !seen.huge_page_bytes || *seen.anonymous_bytes == 0) return;
  size.anonymous_bytes = static_cast<double>(*seen.anonymous_bytes);
  size.huge_page_share = static_cast<double>(*seen.huge_page_bytes) / *size.anonymous_bytes;
}

findings::SizeDiagnosis size_of(const SizeFacts& facts) {
  const schema::Visit& visit = *facts.diagnostic;
  const schema::Diagnosis& seen = *facts.diagnosis();
  const double n = iterations_of(visit);
  findings::SizeDiagnosis size;
  size.batch_size = facts.batch_size();
  size.time_ms = mean_iteration_ns(visit) / kNsAMs;
  if (seen.traced_iterations > 0) {
    size.traced_ms =
        static_cast<double>(seen.traced_ns) / static_cast<double>(seen.traced_iterations) / kNsAMs;
    const auto traced = static_cast<double>(seen.traced_ns);
    if (seen.device_busy_ns && seen.traced_ns > 0) {
      size.device_busy_share = static_cast<double>(*seen.device_busy_ns) / traced;
    }
  }
  size.minor_faults = an_iteration(visit.usage.minor_faults, n);
  size.major_faults = an_iteration(visit.usage.major_faults, n);
  size.user_ms = an_iteration(visit.usage.user_ns, n, kNsAMs);
  size.system_ms = an_iteration(visit.usage.system_ns, n, kNsAMs);
  size.voluntary_switches = an_iteration(visit.usage.voluntary_switches, n);
  size.involuntary_switches = an_iteration(visit.usage.involuntary_switches, n);
  for (const auto& [name, count] : seen.counters) {
    size.counters[name] = static_cast<double>(count) / n;
  }
  if (facts.threads != nullptr) {
    add_threads(*facts.threads->diagnosis, facts.config->config.threads, size);
  }
  add_memory(seen, size);
  if (seen.logged_iterations > 0) {
    int64_t created = 0;
    for (const schema::Primitive& each : seen.primitives) created += each.created;
    size.created_primitives =
        static_cast<double>(created) / static_cast<double>(seen.logged_iterations);
  }
  return size;
}

// Rows by kind and name, with a place for each size.
class Rows {
 public:
  explicit Rows(std::size_t sizes) : sizes_(sizes) {}

  void add(const std::string& kind, const std::string& name, std::size_t size, int64_t calls,
           int64_t ns, int64_t iterations) {
    OperationRow& row = rows_[{kind, name}];
    row.kind = kind;
    row.name = name;
    row.at.resize(sizes_);
    const auto n = static_cast<double>(iterations);
    row.at[size] =
        OperationCost{static_cast<double>(calls) / n, static_cast<double>(ns) / n / kNsAMs};
  }

  // The largest change first.
  // `looked`: at which sizes such rows were looked for.
  std::vector<OperationRow> finish(const std::vector<findings::SizeDiagnosis>& sizes,
                                   const std::vector<bool>& looked) &&;

 private:
  std::size_t sizes_;
  std::map<std::pair<std::string, std::string>, OperationRow> rows_;
};

std::vector<double> per_sample(const OperationRow& row,
                               const std::vector<findings::SizeDiagnosis>& sizes) {
  std::vector<double> values;
  for (std::size_t s = 0; s < sizes.size(); ++s) {
    const double ms = row.at[s] ? row.at[s]->ms : 0;
    values.push_back(ms / static_cast<double>(sizes[s].batch_size));
  }
  return values;
}

// The values at the sizes that count.
std::vector<double> at_sizes(const std::vector<double>& values, const std::vector<bool>& which) {
  std::vector<double> picked;
  for (std::size_t s = 0; s < values.size(); ++s) {
    if (which[s]) picked.push_back(values[s]);
  }
  return picked;
}

// The smallest that is there.
double least_of(const std::vector<double>& values) {
  double least = 0;
  for (const double value : values) {
    if (value > 0 && (least <= 0 || value < least)) least = value;
  }
  return least;
}

std::vector<OperationRow> Rows::finish(const std::vector<findings::SizeDiagnosis>& sizes,
                                       const std::vector<bool>& looked) && {
  std::vector<double> all(sizes_, 0.0);
  for (const auto& [key, row] : rows_) {
    const std::vector<double> own = per_sample(row, sizes);
    for (std::size_t s = 0; s < sizes_; ++s) all[s] += own[s];
  }
  const double least = least_of(all);
  std::vector<OperationRow> result;
  for (auto& [key, row] : rows_) {
    const std::vector<double> own = at_sizes(per_sample(row, sizes), looked);
    const auto [low, high] = std::minmax_element(own.begin(), own.end());
    row.change = least > 0 ? (*high - *low) / least : 0;
    result.push_back(std::move(row));
  }
  std::stable_sort(result.begin(), result.end(), [](const OperationRow& a, const OperationRow& b) {
    return a.change > b.change;
  });
  if (result.size() > kMostRows) result.resize(kMostRows);
  return result;
}

}  // namespace

std::optional<findings::Diagnostics> diagnostics_of(const RunView& view, const GroupData& group) {
  const TableFacts table = facts_of(view, group);
  findings::Diagnostics result;
  std::vector<const schema::Diagnosis*> seen;
  for (const SizeFacts& size : table.sizes) {
    if (size.diagnosis() == nullptr) continue;
    result.sizes.push_back(size_of(size));
    seen.push_back(size.diagnosis());
  }
  if (seen.empty()) return std::nullopt;
  Rows operations(seen.size()), primitives(seen.size());
  std::vector<bool> traced, logged;
  for (std::size_t s = 0; s < seen.size(); ++s) {
    traced.push_back(seen[s]->traced_iterations > 0);
    logged.push_back(seen[s]->logged_iterations > 0);
    for (const schema::Operation& each : seen[s]->operations) {
      operations.add(std::string(each.kind.text()), each.name, s, each.calls, each.self_ns,
                     seen[s]->traced_iterations);
    }
    for (const schema::Primitive& each : seen[s]->primitives) {
      primitives.add(each.kind, each.implementation, s, each.calls, each.total_ns,
                     seen[s]->logged_iterations);
    }
    if (!seen[s]->tracer.empty()) result.tracer = seen[s]->tracer;
    result.absent.insert(seen[s]->absent.begin(), seen[s]->absent.end());
  }
  result.operations = std::move(operations).finish(result.sizes, traced);
  result.primitives = std::move(primitives).finish(result.sizes, logged);
  return result;
}

}  // namespace batchscope::causes
