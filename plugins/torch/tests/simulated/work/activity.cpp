#include "activity.hpp"

#include <unistd.h>

#include <atomic>
#include <mutex>
#include <utility>

#include "state/clock.hpp"

namespace batchscope::simulated {
namespace {

// Threads of devices outlive every static object, so this is never destroyed.
struct Traced {
  std::atomic<bool> on{false};
  std::mutex mutex;
  std::vector<Activity> activities;
};

Traced& traced() {
  static auto* const one = new Traced;
  return *one;
}

}  // namespace

void set_tracing(bool on) {
  traced().on = on;
}

bool tracing() {
  return traced().on;
}

void trace(Activity activity) {
  const std::lock_guard lock(traced().mutex);
  traced().activities.push_back(std::move(activity));
}

std::vector<Activity> take_traced() {
  const std::lock_guard lock(traced().mutex);
  return std::exchange(traced().activities, {});
}

int64_t next_correlation() {
  static std::atomic<int64_t> last{0};
  return ++last;
}

TracedCall::TracedCall(const char* name, int64_t correlation)
    : name_(name), correlation_(correlation), start_ns_(now_ns()) {}

TracedCall::~TracedCall() {
  if (!tracing()) return;
  Activity call;
  call.name = name_;
  call.kind = Kind::call;
  call.start_ns = start_ns_;
  call.end_ns = now_ns();
  call.stream = gettid();
  call.correlation = correlation_;
  trace(std::move(call));
}

}  // namespace batchscope::simulated
