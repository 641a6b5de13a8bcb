#pragma once

#include <string>
#include <vector>

#include "batchscope/findings/summary.hpp"

namespace batchscope::charts {

// The names of all phases of a group, in the order in which they first appear, "other" last.
std::vector<std::string> phase_names(const findings::Group& group);
const findings::PhaseShare* find_phase(const findings::ConfigRow& row, const std::string& name);

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

}  // namespace batchscope::charts
