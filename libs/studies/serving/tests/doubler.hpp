#pragma once

#include <latch>

#include "batchscope/serving/batcher.hpp"
#include "testing/serving/tables.hpp"

namespace batchscope::serving {

using std::chrono::milliseconds;
using Doubler = Batcher<int, int>;

inline base::Result<std::vector<int>> doubled(std::span<const int> requests, int) {
  std::vector<int> responses;
  for (const int request : requests) responses.push_back(2 * request);
  return responses;
}

// Runs nothing before open() is called.
class Gate {
 public:
  Doubler::Run run() {
    return [this](std::span<const int> requests, int instance) {
      entered_.count_down();
      open_.wait();
      return doubled(requests, instance);
    };
  }
  // Until the first batch runs.
  void wait_until_entered() { entered_.wait(); }
  void open() { open_.count_down(); }

 private:
  std::latch entered_{1};
  std::latch open_{1};
};

inline Refusal reason_of(Doubler::Submitted& submitted) {
  const auto answer = submitted.answer.get();
  EXPECT_FALSE(answer.has_value());
  return answer ? Refusal::failed : answer.failure().reason;
}

}  // namespace batchscope::serving
