#pragma once

#include <string>
#include <vector>

#include "batchscope/monitor/totals.hpp"
#include "batchscope/telemetry/sample.hpp"
#include "batchscope/watch/active_finding.hpp"

// What is said at the end, of all the time that was watched.
namespace batchscope::monitor_report {

// For a reader: what was found first, then GPUs and the machine. `utf8`: false for ASCII only.
std::string summary_text(const monitor::MonitorSummary& summary, bool utf8);

// {"schema_version": 1, "host", "began": "2026-10-01T12:00:00Z", "ended", "seconds", "samples",
//  "gpu_absent", "gpus": [{"gpu", "last_gpu", "uuid", "name", "up_seconds", "down_seconds",
//  "why_down", "energy_joules",
//            "throttled_seconds": {"power_cap": 12.5},
//            "metrics": {"busy_ratio": {"mean", "p95", "max", "samples"}, ...}}],
//  "host_metrics": {"cpu_busy_ratio": {...}, ...},
//  "training": [{"source", "first_step", "last_step", "steps", "step_seconds": {...},
//                "samples_per_second", "loss"}],
//  "findings": [{"since", "since_ns", "seconds", "times", "ended", "ended_ns", "finding": {...}}]}
// Names of metrics are those of telemetry/metrics.hpp, a finding as findings::to_json writes it.
// `seconds` is for how long a finding stood in all its `times`. What is not known is left out:
// `ended` and `ended_ns` where it still stands, `last_gpu` where a GPU kept its number,
// `gpu_absent` where there was a GPU.
std::string summary_json(const monitor::MonitorSummary& summary);

// One reading, for programs: {"schema_version": 1, "host", "time": "2026-10-01T12:00:00Z",
//  "reading": {...}, "findings": [...]}, the reading as the `sample` line of a log has it
// (telemetry/log_line.hpp) without its type, findings as in summary_json().
std::string reading_json(const std::string& host, const telemetry::Sample& sample,
                         const std::vector<watch::ActiveFinding>& findings);

}  // namespace batchscope::monitor_report
