#pragma once

#include <optional>

#include "batchscope/tables/run_view.hpp"

namespace batchscope::causes {

// What the operating system charged for one iteration of a configuration, all threads together:
// medians over its visits.
struct ConfigSignals {
  double minor_faults = 0;
  double system_ns = 0;
  double iteration_ns = 0;  // wall time

  double system_share() const { return iteration_ns > 0 ? system_ns / iteration_ns : 0; }
};

// nullopt where no visit tells (imported, virtual time).
std::optional<ConfigSignals> signals_of(const std::vector<const schema::Visit*>& visits);
std::optional<ConfigSignals> signals_of(const tables::ConfigData& config);

}  // namespace batchscope::causes
