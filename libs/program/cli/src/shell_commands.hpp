#pragma once

#include "batchscope/findings/commands.hpp"

namespace batchscope::cli {

// What to type for what reports propose.
findings::Commands shell_commands();

}  // namespace batchscope::cli
