#pragma once

#include <string>
#include <string_view>

#include "batchscope/commandline/description.hpp"

namespace batchscope::commandline {

std::string bash_completion(const Program& program);
std::string zsh_completion(const Program& program);
std::string fish_completion(const Program& program);

// In single quotes, as every one of these shells reads it.
std::string shell_quoted(std::string_view text);
// The first clause of what a flag does, in one line.
std::string short_help(const Flag& flag);

}  // namespace batchscope::commandline
