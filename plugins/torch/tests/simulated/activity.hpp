#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace batchscope::simulated {

enum class Kind { kernel, h2d, d2h, d2d, other };

// What a tracer sees of a device. Times in ns of the device's clock.
struct Activity {
  std::string name;
  Kind kind = Kind::other;
  int64_t start_ns = 0, end_ns = 0, bytes = 0;
  bool pinned = false;
  int device = 0;
  int64_t stream = 0;
};

// Activities are kept while tracing is on.
void set_tracing(bool on);
bool tracing();
void trace(Activity activity);
std::vector<Activity> take_traced();

}  // namespace batchscope::simulated
