#include "batchscope/engine/clock.hpp"

#include <chrono>

namespace batchscope::engine {
namespace {

class SteadyClock final : public Clock {
 public:
  int64_t now_ns() const override {
    using std::chrono::duration_cast;
    using std::chrono::nanoseconds;
    return duration_cast<nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }
  schema::ClockKind kind() const override { return schema::ClockKind::steady; }
};

}  // namespace

const Clock& steady_clock() {
  static const SteadyClock clock;
  return clock;
}

}  // namespace batchscope::engine
