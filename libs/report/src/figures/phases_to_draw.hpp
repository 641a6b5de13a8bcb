#pragma once

#include <string>
#include <vector>

#include "batchscope/findings/summary.hpp"

namespace batchscope::report {

// The phases of all groups in the order in which charts stack them, so that each fills the same
// phase in the same way.
std::vector<std::string> stacked_phases(const std::vector<findings::Group>& groups);

// Phases below this share of every iteration are in the tables alone.
inline constexpr double kSmallPhase = 0.02;
struct PhasesToDraw {
  std::vector<std::string> drawn;  // as stacked_phases orders them
  std::vector<std::string> left_out;
};
PhasesToDraw phases_to_draw(const std::vector<findings::Group>& groups);

}  // namespace batchscope::report
