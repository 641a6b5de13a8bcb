#include <map>
#include <utility>

#include "batchscope/monitor/outputs.hpp"

namespace batchscope::monitor {
namespace {

// Loops tell some values only now and then, the loss every tenth step: a step that leaves them out
// takes over what was last told.
void fill_in(const telemetry::TrainingStep& before, telemetry::TrainingStep& step) {
  if (!step.loss && step.loss_word.empty()) {
    step.loss = before.loss;
    step.loss_word = before.loss_word;
  }
  if (!step.learning_rate) step.learning_rate = before.learning_rate;
  if (!step.batch_size) step.batch_size = before.batch_size;
  if (!step.loading_seconds) step.loading_seconds = before.loading_seconds;
}

class ServerSink : public Sink {
 public:
  explicit ServerSink(exporter::MetricsServer& server) : server_(server) {}

  std::string_view name() const override { return "the metrics server"; }

  base::Result<void> take(const Tick& tick) override {
    exporter::MetricsSnapshot shown;
    shown.sample = tick.sample;
    for (const auto& active : tick.active) shown.findings.push_back(active.finding);
    for (const auto& step : tick.steps) count(step, tick.sample.time_ns);
    std::erase_if(loops_, [&](const auto& each) {
      return each.second.heard_ns < tick.sample.time_ns - kForgottenAfterNs;
    });
    for (const auto& [source, loop] : loops_) {
      shown.steps.push_back(loop.last);
      shown.steps_total[source] = loop.steps;
      shown.samples_total[source] = loop.samples;
    }
    server_.publish(std::move(shown));
    return {};
  }

 private:
  // A loop that is silent for as long has ended: an alert that it stands still ends with it.
  static constexpr int64_t kForgottenAfterNs = 3'600'000'000'000;
  static constexpr std::size_t kMostLoops = 64;

  struct Loop {
    telemetry::TrainingStep last;  // with what it left out, as told before
    int64_t heard_ns = 0;          // by the clock of the samples
    int64_t steps = 0, samples = 0;
  };

  void count(const telemetry::TrainingStep& step, int64_t now_ns) {
    if (loops_.size() >= kMostLoops && !loops_.contains(step.source)) return;
    Loop& loop = loops_[step.source];
    fill_in(std::exchange(loop.last, step), loop.last);
    loop.heard_ns = now_ns;
    ++loop.steps;
    loop.samples += step.batch_size.value_or(0);
  }

  exporter::MetricsServer& server_;
  std::map<std::string, Loop> loops_;
};

}  // namespace

std::unique_ptr<Sink> published_by(exporter::MetricsServer& server) {
  return std::make_unique<ServerSink>(server);
}

}  // namespace batchscope::monitor
