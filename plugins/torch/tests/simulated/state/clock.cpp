#include "clock.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "options.hpp"

namespace batchscope::simulated {
namespace {

constexpr int64_t kOvershoot = 60'000;  // of a sleep, in ns

int64_t steady_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

void sleep_until(int64_t ns) {
  std::this_thread::sleep_until(
      std::chrono::steady_clock::time_point(std::chrono::nanoseconds(ns)));
}

void spin_until(int64_t ns) {
  if (ns - steady_ns() > 2 * kOvershoot) sleep_until(ns - kOvershoot);
  while (steady_ns() < ns) {
  }
}

// Threads of devices outlive every static object, so this is never destroyed.
struct VirtualHost {
  std::mutex mutex;
  std::condition_variable changed;
  int64_t ns = 0;
  int waiting = 0;
};

VirtualHost& host() {
  static auto* const one = new VirtualHost;
  return *one;
}

}  // namespace

int64_t now_ns() {
  if (!options().virtual_time) return steady_ns();
  const std::lock_guard lock(host().mutex);
  return host().ns;
}

void spend(int64_t ns) {
  if (ns <= 0) return;
  if (!options().virtual_time) return spin_until(steady_ns() + ns);
  const std::lock_guard lock(host().mutex);
  host().ns += ns;
  host().changed.notify_all();
}

void wait_until(int64_t ns) {
  if (!options().virtual_time) return spin_until(ns);
  const std::lock_guard lock(host().mutex);
  host().ns = std::max(host().ns, ns);
  host().changed.notify_all();
}

void deliver_at(int64_t ns) {
  if (!options().virtual_time) return spin_until(ns);
  std::unique_lock lock(host().mutex);
  host().changed.wait(lock, [ns] { return host().ns >= ns || host().waiting > 0; });
}

void keep_pace(int64_t ns) {
  if (!options().virtual_time && ns - steady_ns() > kOvershoot) sleep_until(ns);
}

HostWaits::HostWaits() {
  const std::lock_guard lock(host().mutex);
  ++host().waiting;
  host().changed.notify_all();
}

HostWaits::~HostWaits() {
  const std::lock_guard lock(host().mutex);
  --host().waiting;
}

}  // namespace batchscope::simulated
