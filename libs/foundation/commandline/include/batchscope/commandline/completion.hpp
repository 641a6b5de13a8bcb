#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/base/enum_names.hpp"
#include "batchscope/commandline/description.hpp"

namespace batchscope::commandline {

enum class Shell { bash, zsh, fish };
inline constexpr std::array kShells = {base::Name<Shell>{Shell::bash, "bash"},
                                       base::Name<Shell>{Shell::zsh, "zsh"},
                                       base::Name<Shell>{Shell::fish, "fish"}};

// A script for that shell: at each completion it asks `PROGRAM complete SHELL WORDS...`.
std::string completion_script(Shell shell, std::string_view program);

// The candidates for the last of the words, which is being typed; the others stand between it and
// the program's name. One a line as the shell takes them: bash those that begin with what is typed,
// the others all, with what each does. A line FILE or FOLDER leaves files or folders to the shell.
// `model_names` tells the names of models, one a line.
std::string candidates(Shell shell, const ProgramDescription& program,
                       std::vector<std::string> words, std::string (*model_names)());

}  // namespace batchscope::commandline
