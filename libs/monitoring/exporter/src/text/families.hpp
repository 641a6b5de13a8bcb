#pragma once

#include <vector>

#include "batchscope/exporter/metrics_snapshot.hpp"
#include "text/family.hpp"

namespace batchscope::exporter {

// By the names of the tables of telemetry. `process_families`: by the name of the program, since
// series of process numbers would never end.
std::vector<Family> gpu_families(const MetricsSnapshot& exposition);
std::vector<Family> host_families(const telemetry::Sample& sample);
std::vector<Family> process_families(const telemetry::Sample& sample);
std::vector<Family> training_families(const MetricsSnapshot& exposition);

// By dcgm-exporter's names, in its units.
std::vector<Family> dcgm_families(const MetricsSnapshot& exposition, const std::string& host);

}  // namespace batchscope::exporter
