#include <map>

#include "batchscope/monitor/sinks.hpp"

namespace batchscope::monitor {
namespace {

class ServerSink : public Sink {
 public:
  explicit ServerSink(exporter::MetricsServer& server) : server_(server) {}

  std::string_view name() const override { return "the metrics server"; }

  base::Result<void> take(const Tick& tick) override {
    exporter::Exposition shown;
    shown.sample = tick.sample;
    for (const auto& standing : tick.standing) shown.findings.push_back(standing.finding);
    for (const auto& step : tick.steps) count(step);
    for (const auto& [source, step] : last_) shown.steps.push_back(step);
    shown.steps_total = steps_;
    shown.samples_total = samples_;
    server_.publish(std::move(shown));
    return {};
  }

 private:
  void count(const telemetry::TrainingStep& step) {
    last_[step.source] = step;
    ++steps_[step.source];
    samples_[step.source] += step.batch_size.value_or(0);
  }

  exporter::MetricsServer& server_;
  std::map<std::string, telemetry::TrainingStep> last_;
  std::map<std::string, int64_t> steps_, samples_;
};

}  // namespace

std::unique_ptr<Sink> published_by(exporter::MetricsServer& server) {
  return std::make_unique<ServerSink>(server);
}

}  // namespace batchscope::monitor
