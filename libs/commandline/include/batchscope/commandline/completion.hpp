#pragma once

#include <array>
#include <string>

#include "batchscope/base/enum_names.hpp"
#include "batchscope/commandline/description.hpp"

namespace batchscope::commandline {

enum class Shell { bash, zsh, fish };
inline constexpr std::array kShells = {base::Name<Shell>{Shell::bash, "bash"},
                                       base::Name<Shell>{Shell::zsh, "zsh"},
                                       base::Name<Shell>{Shell::fish, "fish"}};

// A script that completes verbs, flags and their values in that shell. Names of models it asks the
// program for when they are wanted: `PROGRAM completion models` prints one a line.
std::string completion_script(Shell shell, const Program& program);

}  // namespace batchscope::commandline
