#include "iteration_facts.hpp"

#include "batchscope/schema/phases.hpp"
#include "batchscope/schema/visit.hpp"
#include "batchscope/stats/descriptive.hpp"
#include "batchscope/tables/estimates.hpp"

namespace batchscope::tables {
namespace {

double iterations_of(const schema::Visit& visit) {
  return static_cast<double>(visit.samples_ns.size()) *
         static_cast<double>(visit.iterations_per_sample);
}

double total_iterations(const ConfigData& config) {
  double total = 0;
  for (const UsableVisit& usable : config.visits) total += iterations_of(*usable.visit);
  return total;
}

// Phases are summed by the worker over all its timed iterations, so the mean is over all of them
// too, also over those that later count as warm-up.
double mean_iteration_ms(const ConfigData& config, double iterations) {
  double total = 0;
  for (const UsableVisit& usable : config.visits) {
    for (const int64_t sample : usable.visit->samples_ns) {
      total +=
          static_cast<double>(sample) * static_cast<double>(usable.visit->iterations_per_sample);
    }
  }
  return total / iterations / kNsPerMs;
}

// Of the iterations that have times of their own, those that take over 1.5 times as long as the
// typical one of their instance and visit.
double slow_share_of(const ConfigData& config) {
  int64_t slow = 0, all = 0;
  for (const UsableVisit& usable : config.visits) {
    if (!timing::shows_iterations(*usable.visit)) continue;
    slow += timing::slow_iterations(usable);
    for (const auto samples : usable.series) all += static_cast<int64_t>(samples.size());
  }
  return all == 0 ? 0 : static_cast<double>(slow) / static_cast<double>(all);
}

findings::PhaseShare& share_of(std::vector<findings::PhaseShare>& phases, const std::string& name) {
  for (findings::PhaseShare& phase : phases) {
    if (phase.name == name) return phase;
  }
  return phases.emplace_back(findings::PhaseShare{name, 0, std::nullopt, 0});
}

// What no phase claims is "other", so that the phases sum to the mean exactly.
void add_other(std::vector<findings::PhaseShare>& phases, double mean_ms) {
  double sum = 0;
  for (const findings::PhaseShare& phase : phases) sum += phase.host_ms;
  phases.push_back({std::string(schema::phases::kOther), mean_ms - sum, std::nullopt, 0});
  for (auto& phase : phases) phase.share = mean_ms > 0 ? phase.host_ms / mean_ms : 0;
}

void fill_phases(const ConfigData& config, double iterations, findings::ConfigRow& row) {
  double prepare_ns = 0;
  int64_t prepared = 0;
  for (const UsableVisit& usable : config.visits) {
    for (const schema::Phase& phase : usable.visit->phases) {
      if (phase.name == schema::phases::kPrepare) {
        prepare_ns += static_cast<double>(phase.host_ns);
        prepared += phase.count;
        continue;
      }
      findings::PhaseShare& share = share_of(row.phases, phase.name);
      share.host_ms += static_cast<double>(phase.host_ns) / iterations / kNsPerMs;
      if (phase.device_ns) {
        share.device_ms = share.device_ms.value_or(0) +
                          static_cast<double>(*phase.device_ns) / iterations / kNsPerMs;
      }
    }
  }
  if (prepared > 0) row.prepare_ms = prepare_ns / static_cast<double>(prepared) / kNsPerMs;
  if (!row.phases.empty()) add_other(row.phases, row.time_mean_ms);
}

void keep_largest(std::optional<int64_t>& largest, const std::optional<int64_t>& value) {
  if (value && (!largest || *value > *largest)) largest = value;
}

void fill_memory(const ConfigData& config, findings::ConfigRow& row) {
  for (const UsableVisit& usable : config.visits) {
    const schema::Memory& memory = usable.visit->memory;
    keep_largest(row.memory.peak_rss_bytes, memory.peak_rss_bytes);
    keep_largest(row.memory.peak_allocated_bytes, memory.peak_allocated_bytes);
    keep_largest(row.memory.peak_reserved_bytes, memory.peak_reserved_bytes);
    keep_largest(row.memory.device_allocations, memory.device_allocations);
    keep_largest(row.memory.peak_iterations_rss_bytes, memory.peak_iterations_rss_bytes);
  }
  const auto& allocated = row.memory.peak_allocated_bytes;
  const auto& reserved = row.memory.peak_reserved_bytes;
  if (allocated && reserved && *reserved > 0) {
    row.fragmentation = 1 - static_cast<double>(*allocated) / static_cast<double>(*reserved);
  }
}

void fill_usage(const ConfigData& config, findings::ConfigRow& row) {
  double faults = 0, with_faults = 0, system = 0, cpu = 0;
  for (const UsableVisit& usable : config.visits) {
    const schema::Usage& usage = usable.visit->usage;
    if (usage.minor_faults) {
      faults += static_cast<double>(*usage.minor_faults);
      with_faults += iterations_of(*usable.visit);
    }
    if (usage.user_ns && usage.system_ns) {
      system += static_cast<double>(*usage.system_ns);
      cpu += static_cast<double>(*usage.system_ns) + static_cast<double>(*usage.user_ns);
    }
  }
  if (with_faults > 0) row.minor_faults_per_iteration = faults / with_faults;
  if (cpu > 0) row.system_time_share = system / cpu;
}

void fill_loss(const ConfigData& config, findings::ConfigRow& row) {
  double sum = 0;
  int n = 0;
  for (const UsableVisit& usable : config.visits) {
    if (!usable.visit->loss) continue;
    sum += *usable.visit->loss;
    ++n;
  }
  if (n > 0) row.loss = sum / n;
  for (const UsableVisit& usable : config.visits) {
    const auto& skipped = usable.visit->skipped_steps;
    if (skipped) row.skipped_steps = row.skipped_steps.value_or(0) + *skipped;
  }
}

// A configuration's lengths are a part of it, so all its visits tell the same.
void fill_tokens(const ConfigData& config, findings::ConfigRow& row) {
  for (const UsableVisit& usable : config.visits) {
    if (!usable.visit->tokens) continue;
    const schema::Tokens& cycle = *usable.visit->tokens;
    const auto batches = static_cast<double>(cycle.iterations);
    const auto samples = batches * static_cast<double>(schema::effective_batch(row.config));
    findings::TokenFacts& tokens = row.tokens.emplace();
    tokens.real = static_cast<double>(cycle.real) / batches;
    tokens.padded = static_cast<double>(cycle.padded) / batches;
    tokens.padding = 1 - tokens.real / tokens.padded;
    tokens.real_per_s = scaled(row.throughput_per_s, static_cast<double>(cycle.real) / samples);
    return;
  }
}

}  // namespace

void fill_iteration_facts(const ConfigData& config, findings::ConfigRow& row) {
  const double iterations = total_iterations(config);
  row.n = static_cast<int>(config.visits.size());
  row.n_iterations = static_cast<int64_t>(iterations);
  row.slow_share = slow_share_of(config);
  row.time_mean_ms = mean_iteration_ms(config, iterations);
  fill_phases(config, iterations, row);
  fill_memory(config, row);
  fill_usage(config, row);
  fill_loss(config, row);
  fill_tokens(config, row);
}

}  // namespace batchscope::tables
