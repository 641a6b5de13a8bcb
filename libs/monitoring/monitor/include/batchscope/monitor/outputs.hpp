#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/exporter/metrics_server.hpp"
#include "batchscope/monitor/session.hpp"
#include "batchscope/telemetry/log_line.hpp"

namespace batchscope::monitor {

// Where ticks are to go; what is empty is not asked for.
struct OutputOptions {
  std::filesystem::path log{};          // JSON lines, see telemetry/log_line.hpp
  bool overwrite = false;               // the log, if it exists
  std::filesystem::path tensorboard{};  // a folder of event files
  std::string prometheus{};             // "127.0.0.1:9430"; port 0: one that is free
  std::filesystem::path web_config{};   // TLS and users of that server
  exporter::Names names = exporter::Names::batchscope;
  base::Nanoseconds interval{std::chrono::seconds{1}};  // between samples
  base::Nanoseconds window{0};  // that findings are judged over; 0: the usual one
  MonitorOptions rules{};       // for the head of the log
  std::string tool_version{};
  std::vector<std::string> command{};  // that is watched, for the head of the log
};

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

// Those that were asked for, open.
class Outputs {
 public:
  // Errors: usage (the log exists, an address that is none), input (the web configuration), failed
  // (cannot be written, the port is taken).
  static base::Result<Outputs> open(const OutputOptions& options, int64_t now_ns);

  std::vector<Sink*> sinks() const;
  const exporter::MetricsServer* server() const { return server_.get(); }  // null: none

 private:
  std::unique_ptr<exporter::MetricsServer> server_;
  std::vector<std::unique_ptr<Sink>> sinks_;  // before the server that one of them publishes by
};

// The name of this machine.
std::string host_name();

}  // namespace batchscope::monitor
