#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/commandline/command.hpp"
#include "batchscope/commandline/description.hpp"

namespace batchscope::commandline {

// Help and completion follow from this and from the flags of each.
struct VerbRow {
  std::string_view name;  // "analyze", or of a group "baseline save": both words call it
  VerbMain main = nullptr;
  std::string_view tells;  // empty: hidden
};

// What `help` tells of beside the verbs.
struct Topics {
  std::vector<std::string> (*names)() = nullptr;
  std::string (*text)(std::string_view name) = nullptr;  // empty for what is none of them
};

// A program but for what its verbs do.
struct Interface {
  ProgramDescription about{};  // its verbs are filled in from the rows
  std::span<const VerbRow> verbs{};
  std::string (*model_names)() = nullptr;  // one a line, for completion
  Topics topics{};
};

// Calls the verb that is named first, with the rest; or answers for all of them: `help`, `help
// VERB`, `help GROUP`, `help TOPIC`, `completion SHELL`, `complete SHELL WORDS...`, and the flags
// -h,
// --help, -V and --version. Returns the exit code.
int run(const Interface& program, const std::vector<std::string>& arguments);

}  // namespace batchscope::commandline
