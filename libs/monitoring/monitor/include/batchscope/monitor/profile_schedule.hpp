#pragma once

#include <cstdint>
#include <vector>

namespace batchscope::monitor {

// When a training loop is to be looked at closely, and when that costs too much.
struct ProfileRules {
  int64_t every = 0;            // steps from one profile to the next; 0: none is made
  int64_t steps = 5;            // in a profile
  double most_overhead = 0.02;  // of all time, that profiles may cost
};

// Decides after each step. A profile costs what its steps take longer than the typical one of those
// before it, and what beginning and ending it takes. It is ended early where it has cost more than
// the bound allows; the next is put off until all of them together, and what the next will cost at
// the mean of those before, stay within it.
class ProfileSchedule {
 public:
  enum class Do { nothing, begin, end };

  explicit ProfileSchedule(const ProfileRules& rules);

  // `seconds`: of the step that was made. `begin` and `end` are to be carried out before the next.
  Do after_step(double seconds);
  // What carrying out the last `begin` or `end` took.
  void took(double seconds);

  // Whether the time of the last step has what a profile costs: it was of one, or the first after.
  bool profiled() const { return profiled_; }
  int64_t profiles() const { return profiles_; }
  // Of all time until now; 0 before the first step.
  double overhead() const;

 private:
  double typical_seconds() const;
  bool is_affordable() const;
  void remember(double seconds);

  ProfileRules rules_;
  std::vector<double> recent_;  // seconds of steps that were not profiled, a ring
  std::size_t next_ = 0;
  int64_t since_ = 0;   // steps since the last profile, or since one was put off
  int64_t inside_ = 0;  // steps that the present profile still lasts
  int64_t profiles_ = 0;
  bool profiled_ = false, just_ended_ = false;
  double total_ = 0, extra_ = 0;
};

}  // namespace batchscope::monitor
