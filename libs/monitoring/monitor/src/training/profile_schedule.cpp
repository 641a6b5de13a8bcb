#include "batchscope/monitor/profile_schedule.hpp"

#include <algorithm>
#include <utility>

#include "batchscope/stats/descriptive.hpp"

namespace batchscope::monitor {
namespace {

constexpr std::size_t kRecent = 64;

}  // namespace

ProfileSchedule::ProfileSchedule(const ProfileRules& rules) : rules_(rules) {}

double ProfileSchedule::typical_seconds() const {
  return recent_.empty() ? 0 : stats::median(recent_);
}

double ProfileSchedule::overhead() const {
  return total_ > 0 ? extra_ / total_ : 0;
}

// Before the first nothing is known of its cost: it is begun, and ended early where it costs too
// much.
bool ProfileSchedule::is_affordable() const {
  if (profiles_ == 0) return true;
  const double next = extra_ / static_cast<double>(profiles_);
  return extra_ + next <= rules_.most_overhead * total_;
}

void ProfileSchedule::remember(double seconds) {
  if (recent_.size() < kRecent) recent_.push_back(seconds);
  recent_[next_++ % kRecent] = seconds;
}

ProfileSchedule::Do ProfileSchedule::after_step(double seconds) {
  total_ += seconds;
  profiled_ = inside_ > 0 || std::exchange(just_ended_, false);
  if (inside_ > 0) {
    extra_ += std::max(0.0, seconds - typical_seconds());
    inside_ = extra_ > rules_.most_overhead * total_ ? 0 : inside_ - 1;
    just_ended_ = inside_ == 0;
    return just_ended_ ? Do::end : Do::nothing;
  }
  if (!profiled_) remember(seconds);
  if (rules_.every <= 0 || ++since_ < rules_.every) return Do::nothing;
  since_ = 0;
  if (!is_affordable()) return Do::nothing;
  ++profiles_;
  inside_ = std::max<int64_t>(rules_.steps, 1);
  return Do::begin;
}

void ProfileSchedule::took(double seconds) {
  total_ += seconds;
  extra_ += seconds;
}

}  // namespace batchscope::monitor
