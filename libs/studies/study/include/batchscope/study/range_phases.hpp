#pragma once

#include <set>
#include <string>
#include <vector>

#include "batchscope/engine/engine.hpp"
#include "batchscope/ranges/profiler.hpp"

namespace batchscope::study {

// The ranges of an iteration as its phases: the outermost ones of the thread whose time is taken,
// because phases do not overlap.
class RangePhases {
 public:
  // Takes what was recorded since the last time. False: a range is still open.
  bool take(ranges::Profiler& profiler);
  // Tells what was taken last. A range called like what a visit does before its iterations is told
  // as "preparation".
  void tell(const ranges::Profiler& profiler, engine::PhaseSink& sink);

 private:
  std::vector<ranges::RangeRecord> taken_{};
  std::set<std::string> names_{};  // a sink keeps only the address
};

}  // namespace batchscope::study
