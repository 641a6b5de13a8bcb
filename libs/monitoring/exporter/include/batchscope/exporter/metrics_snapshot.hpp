#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "batchscope/findings/finding.hpp"
#include "batchscope/telemetry/sample.hpp"

namespace batchscope::exporter {

// What is shown to whoever scrapes, all of one moment.
struct MetricsSnapshot {
  telemetry::Sample sample;
  std::vector<findings::Finding> findings;  // that stand
  // The last of each source; what it does not tell is as it was last told.
  std::vector<telemetry::TrainingStep> steps;
  // Of each source, since the monitor began.
  std::map<std::string, int64_t> steps_total;
  std::map<std::string, int64_t> samples_total;
  // By GpuReading::gpu, what one sample does not tell: when a GPU was last read, and its last XID.
  // MetricsServer::publish() fills them in.
  std::map<std::string, int64_t> gpu_last_success_ns;
  std::map<std::string, std::string> gpu_last_xid;
};

// Whose names and units the metrics have.
enum class Names {
  batchscope,
  dcgm  // of dcgm-exporter, for dashboards that are there already; only what it has too
};

// Who tells.
struct ExporterInfo {
  std::string version;  // of batchscope
  std::string host;     // the name of the machine, where the names want it
};

// In Prometheus' text format, version 0.0.4. What is absent has no series; families and series
// stand in the same order each time.
std::string prometheus_text(const MetricsSnapshot& exposition, Names names,
                            const ExporterInfo& origin);

}  // namespace batchscope::exporter
