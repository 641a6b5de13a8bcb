#pragma once

#include <optional>
#include <string>
#include <vector>

#include "batchscope/findings/finding.hpp"

namespace batchscope::watch {

// What a rule sees at one moment.
struct Candidate {
  findings::Finding finding;
  std::string place;     // names it among all places: the key of a GPU, "pid 4711", "machine"
  bool at_once = false;  // it is told without having held for a while: it happened
  // What it is told by in the end is what weighs most; absent: by severity and numbers.
  std::optional<double> weight{};
};
using Candidates = std::vector<Candidate>;

inline constexpr const char* kMachine = "machine";

}  // namespace batchscope::watch
