#pragma once

#include "batchscope/findings/commands.hpp"

namespace batchscope::report {

// As answers have them, whose commands reports repeat.
using findings::Commands;
using findings::Measurement;
using findings::no_command;
using findings::Words;

}  // namespace batchscope::report
