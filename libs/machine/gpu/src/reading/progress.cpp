#include "metric_queries.hpp"

namespace batchscope::gpu {

nvml::Outcome Progress::note(nvml::Status status) {
  const nvml::Outcome outcome = nvml::outcome_of(status);
  if (outcome == nvml::Outcome::answered) answered_ = true;
  if (outcome == nvml::Outcome::answered || outcome == nvml::Outcome::refused) return outcome;
  failure_ = status;
  if (outcome != nvml::Outcome::failed) stop(status);
  return outcome;
}

void Progress::stop(nvml::Status status) {
  stopped_ = true;
  failure_ = status;
}

bool Progress::driver_absent() const {
  return stopped_ && nvml::outcome_of(failure_) == nvml::Outcome::driver_absent;
}

MetricQueries::MetricQueries(std::span<const MetricQuery> questions, Repeat repeat)
    : questions_(questions), repeat_(repeat), done_(questions.size(), false) {}

void MetricQueries::ask(const nvml::Library& library, nvml::Device device,
                        telemetry::GpuReading& reading, Progress& progress) {
  for (std::size_t each = 0; each < questions_.size() && !progress.stopped(); ++each) {
    if (done_[each]) continue;
    const nvml::Outcome outcome = progress.note(questions_[each](library, device, reading));
    done_[each] = outcome == nvml::Outcome::refused ||
                  (outcome == nvml::Outcome::answered && repeat_ == Repeat::until_answered);
  }
}

}  // namespace batchscope::gpu
