#include "batchscope/monitor/outputs.hpp"

#include <utility>

#include "batchscope/monitor/log_header.hpp"

namespace batchscope::monitor {

base::Result<Outputs> Outputs::open(const OutputOptions& options, int64_t now_ns) {
  Outputs outputs;
  if (!options.log.empty()) {
    auto log = record_to(options.log, options.overwrite, log_header(options));
    if (!log) return std::move(log).error();
    outputs.sinks_.push_back(*std::move(log));
  }
  if (!options.tensorboard.empty()) {
    auto events = tensorboard_in(options.tensorboard, now_ns);
    if (!events) return std::move(events).error();
    outputs.sinks_.push_back(*std::move(events));
  }
  if (options.prometheus.empty()) return outputs;
  exporter::ServerOptions served;
  served.address = options.prometheus;
  served.web_config = options.web_config.string();
  served.names = options.names;
  served.interval = options.interval;
  served.origin = {options.tool_version, host_name()};
  auto started = exporter::MetricsServer::start(served);
  if (!started) return std::move(started).error();
  outputs.server_ = *std::move(started);
  outputs.sinks_.push_back(published_by(*outputs.server_));
  return outputs;
}

std::vector<Sink*> Outputs::sinks() const {
  std::vector<Sink*> all;
  for (const auto& sink : sinks_) all.push_back(sink.get());
  return all;
}

}  // namespace batchscope::monitor
