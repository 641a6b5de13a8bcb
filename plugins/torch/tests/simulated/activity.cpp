#include "activity.hpp"

#include <atomic>
#include <mutex>
#include <utility>

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

}  // namespace batchscope::simulated
