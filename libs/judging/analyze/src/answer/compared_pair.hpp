#pragma once

#include <optional>
#include <string>
#include <vector>

#include "batchscope/findings/answer.hpp"
#include "batchscope/findings/summary.hpp"

namespace batchscope::analyze {

// All contrasts of the same two models, engines or runs.
struct ComparedPair {
  std::vector<const findings::Comparison*> all;  // at least one

  bool holds(const findings::Comparison& other) const;
  // The one that is farthest from no difference, of those that are shown, else of all.
  const findings::Comparison& largest() const;
  // What the headline tells: of typical iterations, or of mean ones where only these are shown to
  // differ.
  const findings::Estimate& ratio() const;
  findings::Confidence confidence() const;
  // "B takes 3.1 % longer than A at batch 8", "A and B take the same time within 2.1 %", "Cannot
  // tell whether B is faster than A".
  std::string headline() const;
  std::string sure() const;  // one clause
  // Typical iterations take the same time, and visits are too short to tell of mean ones.
  bool is_alike_but_for_means() const;
  // About as many blocks would tell, at the scatter seen; absent: more than anybody measures.
  std::optional<int> blocks_needed() const;

 private:
  bool is_of_two_runs() const;
  // No interval reaches farther from no difference than this, of typical iterations, and of mean
  // ones too; absent without intervals.
  std::optional<double> reach_of_typical() const;
  std::optional<double> reach() const;
  bool is_shown_alike() const;
};

}  // namespace batchscope::analyze
