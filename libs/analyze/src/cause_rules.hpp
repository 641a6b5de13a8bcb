#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "config_signals.hpp"

namespace batchscope::analyze {

// One cause: the signal that raises it, and the change of the environment that takes it away.
struct CauseRule {
  std::string_view id;     // in the catalogue: "cause.heap-returned"
  std::string_view words;  // "the C library gives memory back ..."
  std::map<std::string, std::string> environment;
  // How much of an iteration the signal may account for, 0 to 1; 0: not there.
  double (*strength)(const ConfigSignals&) = nullptr;
};

std::span<const CauseRule> cause_rules();

// "export NAME=value", what a user pastes.
std::string export_line(const std::map<std::string, std::string>& environment);

}  // namespace batchscope::analyze
