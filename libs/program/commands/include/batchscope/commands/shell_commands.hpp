#pragma once

#include "batchscope/findings/commands.hpp"

namespace batchscope::commands {

// What to type for what reports propose.
findings::Commands shell_commands();

}  // namespace batchscope::commands
