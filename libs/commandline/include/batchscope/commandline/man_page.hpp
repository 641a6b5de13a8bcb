#pragma once

#include <string>

#include "batchscope/commandline/description.hpp"

namespace batchscope::commandline {

// The page of section 1 about a program and all its verbs, in the man macros.
std::string man_page(const Program& program);

}  // namespace batchscope::commandline
