#pragma once

#include <span>
#include <string>

namespace batchscope::report {

// One word for a POSIX shell: only what needs no thought stays bare.
std::string shell_word(const std::string& raw);
// The words as a command line that can be pasted.
std::string shell_command(std::span<const std::string> words);

}  // namespace batchscope::report
