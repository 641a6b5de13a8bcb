#include "source.hpp"

#include <cmath>

#include "batchscope/stats/descriptive.hpp"

namespace batchscope::training {

bool LossesOfCount::begins_anew(const std::optional<double>& loss) const {
  constexpr double kFarApart = 4;  // robust standard deviations
  if (!loss || !std::isfinite(*loss) || first_.size() < kMostFirst || last_.size() < kMostLast) {
    return false;
  }
  const double begin = stats::median(first_), end = stats::median(last_);
  return begin - end > kFarApart * stats::robust_std(last_) && *loss > (begin + end) / 2;
}

void LossesOfCount::add(const std::optional<double>& loss) {
  if (!loss || !std::isfinite(*loss)) return;
  if (first_.size() < kMostFirst) first_.push_back(*loss);
  if (last_.size() == kMostLast) last_.erase(last_.begin());
  last_.push_back(*loss);
}

void LossesOfCount::clear() {
  first_.clear();
  last_.clear();
}

std::optional<int64_t> StepNumbers::next(const telemetry::TrainingStep& reported) {
  const int64_t step = reported.step;
  const bool goes_back = last_ && step < *last_;
  bool is_epoch = false;
  if (goes_back) {
    is_epoch = epoch_first_ == step && epoch_last_ == *last_ && !losses_.begins_anew(reported.loss);
    before_ = is_epoch || epochs_ == 0 ? before_ + *last_ + 1 - step : 0;
    epochs_ = is_epoch ? epochs_ + 1 : 0;
    epoch_first_ = step;
    epoch_last_ = *last_;
    losses_.clear();
  }
  losses_.add(reported.loss);
  last_ = step;
  if (goes_back && !is_epoch) return std::nullopt;
  return epochs_ > 0 ? before_ + step : step;
}

}  // namespace batchscope::training
