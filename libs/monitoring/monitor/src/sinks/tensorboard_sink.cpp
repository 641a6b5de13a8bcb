#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "batchscope/exporter/event_file.hpp"
#include "batchscope/monitor/outputs.hpp"
#include "batchscope/telemetry/metrics.hpp"

namespace batchscope::monitor {
namespace {

using Scalars = std::vector<exporter::Scalar>;

template <class Of>
void put(std::span<const telemetry::MetricDescriptor<Of>> metrics, const Of& of,
         const std::string& group, Scalars& scalars) {
  for (const auto& metric : metrics) {
    if (const auto value = metric.get(of)) {
      scalars.push_back({group + '/' + std::string(metric.name), *value});
    }
  }
}

class TensorBoardSink : public Sink {
 public:
  explicit TensorBoardSink(exporter::EventFile file) : file_(std::move(file)) {}

  std::string_view name() const override { return "the event file"; }

  base::Result<void> take(const Tick& tick) override {
    ++ticks_;
    follow_one(tick.steps);
    for (const auto& step : tick.steps) {
      if (auto put = take_step(step); !put) return put;
    }
    Scalars scalars;
    for (const auto& gpu : tick.sample.gpus) {
      put(telemetry::gpu_metrics(), gpu, "gpu " + gpu.gpu, scalars);
    }
    put(telemetry::host_metrics(), tick.sample.host, "host", scalars);
    return file_.add_scalars(step_.value_or(ticks_), tick.sample.time_ns, scalars);
  }

 private:
  // Values of the machine stand at the steps of one loop: the first, or another once that is
  // silent.
  void follow_one(const std::vector<telemetry::TrainingStep>& steps) {
    constexpr int64_t kSilentTicks = 60;
    const bool tells = std::ranges::any_of(steps, [&](const telemetry::TrainingStep& step) {
      return followed_ && step.source == *followed_;
    });
    if (tells) reported_at_ = ticks_;
    if (steps.empty() || tells || (followed_ && ticks_ - reported_at_ <= kSilentTicks)) return;
    followed_ = steps.front().source;
    reported_at_ = ticks_;
  }

  base::Result<void> take_step(const telemetry::TrainingStep& step) {
    if (step.source == followed_) step_ = step.step;
    Scalars scalars;
    const std::string group = step.source.empty() ? "training" : "training " + step.source;
    put(telemetry::training_metrics(), step, group, scalars);
    if (step.batch_size && step.seconds > 0) {
      scalars.push_back(
          {group + "/samples_per_second", static_cast<double>(*step.batch_size) / step.seconds});
    }
    return file_.add_scalars(step.step, step.time_ns, scalars);
  }

  exporter::EventFile file_;
  std::optional<std::string> followed_;  // the loop whose steps number what is of the machine
  int64_t reported_at_ = 0;
  std::optional<int64_t> step_;
  int64_t ticks_ = 0;
};

}  // namespace

base::Result<std::unique_ptr<Sink>> tensorboard_in(const std::filesystem::path& folder,
                                                   int64_t now_ns) {
  auto file = exporter::EventFile::create(folder, "", now_ns);
  if (!file) return std::move(file).error();
  return std::unique_ptr<Sink>(std::make_unique<TensorBoardSink>(*std::move(file)));
}

}  // namespace batchscope::monitor
