#pragma once

#include <functional>
#include <string_view>

#include "batchscope/stepfeed/step_feed.hpp"

namespace batchscope::stepfeed {

// Where lines come from.
class LineSource {
 public:
  using TakeLine = std::function<void(std::string_view line, bool is_complete)>;

  virtual ~LineSource() = default;
  // What is there, without waiting.
  virtual void read(const TakeLine& take, FeedCounts& counts) = 0;
};

}  // namespace batchscope::stepfeed
