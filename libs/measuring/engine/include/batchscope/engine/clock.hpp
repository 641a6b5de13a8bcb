#pragma once

#include <cstdint>

#include "batchscope/schema/kinds.hpp"

namespace batchscope::engine {

// The clock that iterations are timed with. The engine owns it, so that whole experiments can run
// in virtual time.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual int64_t now_ns() const = 0;
  virtual schema::ClockKind kind() const = 0;
};

// std::chrono::steady_clock.
const Clock& steady_clock();

}  // namespace batchscope::engine
