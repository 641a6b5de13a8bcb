#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace batchscope::simulated {

enum class Kind { kernel, h2d, d2h, d2d, call, other };

// What a tracer sees of a device, and of the host's calls of its driver: those that wait for it,
// and those that give it something to do. Times in ns of the device's clock, or the host's.
struct Activity {
  std::string name;
  Kind kind = Kind::other;
  int64_t start_ns = 0, end_ns = 0, bytes = 0;
  bool pinned = false;
  int device = 0;
  int64_t stream = 0;       // of a call: the system's number of the thread
  int64_t correlation = 0;  // the same of a call and of what it started; 0: none
};

// Activities are kept while tracing is on.
void set_tracing(bool on);
bool tracing();
void trace(Activity activity);
std::vector<Activity> take_traced();

// A number that no call had yet.
int64_t next_correlation();

// A call of the driver, from here to the end of the scope.
class TracedCall {
 public:
  explicit TracedCall(const char* name, int64_t correlation = 0);
  ~TracedCall();
  TracedCall(const TracedCall&) = delete;
  TracedCall& operator=(const TracedCall&) = delete;

 private:
  const char* name_;
  int64_t correlation_;
  int64_t start_ns_;
};

}  // namespace batchscope::simulated
