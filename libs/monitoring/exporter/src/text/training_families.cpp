#include <string>
#include <utility>

#include "text/families.hpp"

namespace batchscope::exporter {
namespace {

using telemetry::MetricKind;

Family counted(const char* name, const char* help, const std::map<std::string, int64_t>& counts) {
  Family family{name, MetricKind::counter, help, {}};
  for (const auto& [source, count] : counts) {
    family.add({{"source", source}}, static_cast<double>(count));
  }
  return family;
}

}  // namespace

std::vector<Family> training_families(const MetricsSnapshot& exposition) {
  // By source, so that the order of arrival shows nowhere.
  std::map<std::string, const telemetry::TrainingStep*> last;
  for (const auto& step : exposition.steps) last[step.source] = &step;
  std::vector<Family> families;
  for (const auto& metric : telemetry::training_metrics()) {
    Family family{"batchscope_training_" + std::string(metric.name),
                  metric.kind,
                  std::string(metric.help),
                  {}};
    for (const auto& [source, step] : last) family.add({{"source", source}}, metric.get(*step));
    families.push_back(std::move(family));
  }
  Family time{"batchscope_training_last_step_timestamp_seconds",
              MetricKind::gauge,
              "End of the last step, in seconds since the epoch",
              {}};
  for (const auto& [source, step] : last) {
    time.add({{"source", source}}, static_cast<double>(step->time_ns) / 1e9);
  }
  families.push_back(std::move(time));
  families.push_back(counted("batchscope_training_steps_total",
                             "Steps that the training loop reported since the monitor started",
                             exposition.steps_total));
  families.push_back(counted("batchscope_training_samples_total",
                             "Samples of these steps, if the loop reports its batch size",
                             exposition.samples_total));
  return families;
}

}  // namespace batchscope::exporter
