#pragma once

#include <string>
#include <vector>

#include "texts/words.hpp"

namespace batchscope::monitorpage {

// What leads: what is wrong, since when, and what else there is.
struct Answer {
  std::string headline, message;
  std::vector<std::string> doubts;  // what may make it incomplete
};
Answer answer_of(const LogView& view, const Recorded& recorded, const std::vector<Chart>& charts);

// "GPU busy, power and CPUs; no training loop told of steps.": what was there to be judged.
std::string looked_at(const Recorded& recorded, const std::vector<Chart>& charts);

}  // namespace batchscope::monitorpage
