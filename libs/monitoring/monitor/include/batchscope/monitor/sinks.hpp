#pragma once

#include <filesystem>
#include <memory>

#include "batchscope/base/result.hpp"
#include "batchscope/exporter/metrics_server.hpp"
#include "batchscope/monitor/session.hpp"
#include "batchscope/telemetry/log_line.hpp"

namespace batchscope::monitor {

// A log as telemetry/log_line.hpp describes it. What one tick brought is one write, so that a
// process that is killed leaves whole lines but for the last.
// Errors: usage (it exists, and is not to be replaced), failed (cannot be written).
base::Result<std::unique_ptr<Sink>> record_to(const std::filesystem::path& path, bool overwrite,
                                              const telemetry::LogHeader& header);

// Event files for TensorBoard, in a folder. The device's scalars stand at the last step that was
// told, where steps are told, else at the number of the sample. Errors: failed.
base::Result<std::unique_ptr<Sink>> tensorboard_in(const std::filesystem::path& folder,
                                                   int64_t now_ns);

// What a server publishes, which has to outlive it.
std::unique_ptr<Sink> published_by(exporter::MetricsServer& server);

}  // namespace batchscope::monitor
