#include "rows/row.hpp"
#include "sample_tables.hpp"

namespace batchscope {
namespace {

using schema::Omit;
using telemetry::gauge;
using telemetry::plain;
using telemetry::TrainingStep;

constexpr std::array kTrainingRows = {
    plain<&TrainingStep::time_ns>("time_ns", {.required = true}),
    plain<&TrainingStep::source>("source", {.omit = Omit::empty}),
    gauge<&TrainingStep::step>("step", "Number of the last step that the training loop reported",
                               {.required = true}),
    gauge<&TrainingStep::seconds>("seconds",
                                  "Wall time of the last step, including the wait for its batch",
                                  {.required = true}, "step_seconds"),
    gauge<&TrainingStep::loss>("loss",
                               "Last reported loss; absent if it is not finite or not reported"),
    plain<&TrainingStep::loss_word>("loss_word", {.omit = Omit::empty}),
    gauge<&TrainingStep::learning_rate>("learning_rate", "Last reported learning rate"),
    gauge<&TrainingStep::batch_size>("batch_size", "Last reported samples per step"),
    gauge<&TrainingStep::loading_seconds>("loading_seconds",
                                          "Last reported wait of a step for its batch"),
    plain<&TrainingStep::profiled>("profiled", {.omit = Omit::empty}),
    plain<&TrainingStep::profile_file>("profile_file", {.omit = Omit::empty})};

}  // namespace

template <>
const schema::Table& schema::table_of<TrainingStep>() {
  static constexpr auto kFields = telemetry::fields_of(kTrainingRows);
  static constexpr Table kTable{kFields};
  return kTable;
}

std::span<const telemetry::MetricDescriptor<TrainingStep>> telemetry::training_metrics() {
  static constexpr auto kMetrics = telemetry::metrics_of<kTrainingRows>();
  return kMetrics;
}

}  // namespace batchscope
