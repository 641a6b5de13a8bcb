#include "size_facts.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "batchscope/schema/run_file.hpp"

namespace batchscope::causes {
namespace {

using tables::column;
using tables::GroupData;
using tables::RunView;

double typical_per_sample_ns(const GroupData& group, std::size_t size) {
  const std::vector<double> logs = column(group.table, size);
  if (logs.empty()) return 0;
  const double mean =
      std::accumulate(logs.begin(), logs.end(), 0.0) / static_cast<double>(logs.size());
  return std::exp(mean) / static_cast<double>(group.configs[size].batch_size());
}

void put_diagnostic(const RunView& view, SizeFacts& size) {
  for (const schema::Visit* visit : view.diagnostic) {
    const auto config = static_cast<std::size_t>(visit->config);
    if (view.run->configs[config] != size.config->config) continue;
    size.diagnostic = visit;
    if (visit->diagnosis && !visit->diagnosis->thread_busy_ns.empty()) size.threads = visit;
  }
}

}  // namespace

const schema::Diagnosis* SizeFacts::traced() const {
  const schema::Diagnosis* seen = diagnosis();
  return seen != nullptr && !seen->tracer.empty() && seen->traced_ns > 0 ? seen : nullptr;
}

std::optional<double> SizeFacts::device_busy_share() const {
  const schema::Diagnosis* seen = traced();
  if (seen == nullptr || !seen->device_busy_ns) return std::nullopt;
  return std::min(static_cast<double>(*seen->device_busy_ns) / static_cast<double>(seen->traced_ns),
                  1.0);
}

const SizeFacts* TableFacts::diagnosed_before(std::size_t at) const {
  for (std::size_t s = at; s-- > 0;) {
    if (sizes[s].diagnosis() != nullptr) return &sizes[s];
  }
  return nullptr;
}

TableFacts facts_of(const RunView& view, const GroupData& group) {
  TableFacts facts{&group, {}};
  for (std::size_t s = 0; s < group.configs.size(); ++s) {
    SizeFacts size;
    size.config = &group.configs[s];
    size.per_sample_ns = typical_per_sample_ns(group, s);
    size.usage = signals_of(group.configs[s]);
    put_diagnostic(view, size);
    size.waits_each = view.run->header.plan.sync != schema::Sync::end;
    size.odd = s > 0 && size.per_sample_ns > (1 + kWorthACause) * facts.sizes.back().per_sample_ns;
    facts.sizes.push_back(size);
  }
  return facts;
}

std::optional<double> imbalance_of(const schema::Diagnosis& seen, int threads) {
  if (seen.thread_busy_ns.empty() || threads < 2) return std::nullopt;
  const auto n = std::min(seen.thread_busy_ns.size(), static_cast<std::size_t>(threads));
  const auto end = seen.thread_busy_ns.begin() + static_cast<std::ptrdiff_t>(n);
  const double sum = std::accumulate(seen.thread_busy_ns.begin(), end, 0.0);
  return static_cast<double>(seen.thread_busy_ns.front()) * threads / sum;
}

bool compiles_in_iterations(const schema::Visit& visit) {
  return visit.compilation && visit.compilation->recompiled_timed > 0;
}

double iterations_of(const schema::Visit& visit) {
  return static_cast<double>(visit.samples_ns.size()) *
         static_cast<double>(visit.iterations_per_sample);
}

double mean_iteration_ns(const schema::Visit& visit) {
  const double sum = std::accumulate(visit.samples_ns.begin(), visit.samples_ns.end(), 0.0);
  return sum / static_cast<double>(visit.samples_ns.size());
}

double timed_ns(const schema::Visit& visit) {
  return mean_iteration_ns(visit) * iterations_of(visit);
}

}  // namespace batchscope::causes
