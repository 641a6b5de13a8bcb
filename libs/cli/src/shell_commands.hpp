#pragma once

#include "batchscope/report/commands.hpp"

namespace batchscope::cli {

// What to type for what reports propose, and how settings are called there.
report::Commands shell_commands();

}  // namespace batchscope::cli
