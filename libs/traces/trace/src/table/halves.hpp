#pragma once

#include <cstdint>
#include <vector>

#include "batchscope/trace/activity.hpp"

namespace batchscope::trace {

// One of the two events that an activity may be written as: where it begins, where it ends.
struct Half {
  Activity activity;    // of an end: its time alone
  int64_t process = 0;  // whose, as the trace numbers them
  int64_t thread = 0;
  bool is_begin = true;
};

struct JoinedHalves {
  std::vector<Activity> activities;
  int64_t begins_alone = 0;  // without their end
  int64_t ends_alone = 0;
};

// Activities of begins and ends (ph B and E of the trace event format): of one thread the end
// closes what began last, by their times, wherever they stand in the file.
JoinedHalves join_halves(std::vector<Half> halves);

}  // namespace batchscope::trace
