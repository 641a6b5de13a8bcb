#pragma once

#include <optional>
#include <vector>

#include "batchscope/findings/catalogue.hpp"
#include "batchscope/schema/visit.hpp"
#include "batchscope/tables/run_view.hpp"
#include "config_signals.hpp"

namespace batchscope::causes {

using Row = findings::KindRow<>;
using Prose = findings::Prose<findings::Nothing>;

// What a sample costs more than at the next smaller size, to be worth a cause.
inline constexpr double kWorthACause = 0.03;

// What is known of one batch size of a table beyond its times.
struct SizeFacts {
  const tables::ConfigData* config = nullptr;
  double per_sample_ns = 0;            // geometric mean over visits
  std::optional<ConfigSignals> usage;  // of its measuring visits
  // Its diagnostic visits, where they were made: the traced one, or the only one; and the one that
  // tells threads apart, whose threads sleep while they wait.
  const schema::Visit* diagnostic = nullptr;
  const schema::Visit* threads = nullptr;
  bool waits_each = true;  // for the device, after each iteration; else once for all
  bool odd = false;        // a sample costs so much more: worth a cause

  const schema::Diagnosis* diagnosis() const {
    return diagnostic != nullptr && diagnostic->diagnosis ? &*diagnostic->diagnosis : nullptr;
  }
  // The same where the engine's tracer ran.
  const schema::Diagnosis* traced() const;
  // Share of the traced time in which the device had something to do; nothing where it is unknown.
  std::optional<double> device_busy_share() const;
  int64_t batch_size() const { return config->batch_size(); }
  double iteration_ns() const { return per_sample_ns * static_cast<double>(batch_size()); }
};

struct TableFacts {
  const tables::GroupData* group = nullptr;
  std::vector<SizeFacts> sizes;  // as the configurations of the group

  // The nearest smaller size that was diagnosed; nullptr without one.
  const SizeFacts* diagnosed_before(std::size_t at) const;
};

TableFacts facts_of(const tables::RunView& view, const tables::GroupData& group);

// Busiest over mean of the threads that were asked for: those that never ran count as idle. Nothing
// for one thread.
std::optional<double> imbalance_of(const schema::Diagnosis& seen, int threads);

// What a visit was charged in all its iterations is then the compiler's: page faults, system time,
// garbage.
bool compiles_in_iterations(const schema::Visit& visit);

// Timed iterations of a visit, of which its usage is the sum.
double iterations_of(const schema::Visit& visit);
// Mean wall time of one, ns.
double mean_iteration_ns(const schema::Visit& visit);
// Wall time of all of them, ns.
double timed_ns(const schema::Visit& visit);

}  // namespace batchscope::causes
