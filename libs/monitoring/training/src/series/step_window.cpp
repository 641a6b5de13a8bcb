#include "series/step_window.hpp"

#include <algorithm>

#include "batchscope/stats/descriptive.hpp"

namespace batchscope::training {

void StepWindow::add(const telemetry::TrainingStep& step) {
  const bool is_new =
      step.batch_size && sizes_.size() < kMostSizes && sizes_.insert(*step.batch_size).second;
  facts_.push_back({count_++, step.step, step.time_ns, step.seconds, step.batch_size,
                    step.loading_seconds, is_new, steps_, step.replaces, step.full_seconds()});
  steps_ += step.replaces;
  if (facts_.size() > kSteps) facts_.pop_front();
  last_ = facts_.back();
}

void StepWindow::pass_over(const telemetry::TrainingStep& step) {
  if (facts_.empty()) last_ = {count_, step.step, step.time_ns, step.seconds, {}, {}, false};
  ++count_;
  steps_ += step.replaces;
}

void StepWindow::restart() {
  facts_.clear();
  sizes_.clear();
}

std::vector<double> StepWindow::seconds(std::size_t most) const {
  std::vector<double> values;
  for (std::size_t i = facts_.size() - std::min(most, facts_.size()); i < facts_.size(); ++i) {
    values.push_back(facts_[i].seconds);
  }
  return values;
}

double StepWindow::typical_seconds(std::size_t most) const {
  return stats::median(seconds(most));
}

std::optional<double> median_batch(std::span<const StepFact> facts) {
  std::vector<double> batches;
  for (const StepFact& fact : facts) {
    if (fact.batch_size) batches.push_back(static_cast<double>(*fact.batch_size));
  }
  if (batches.empty() || 2 * batches.size() < facts.size()) return std::nullopt;
  return stats::median(batches);
}

}  // namespace batchscope::training
