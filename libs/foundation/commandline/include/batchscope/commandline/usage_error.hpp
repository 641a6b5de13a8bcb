#pragma once

#include "batchscope/base/result.hpp"

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace batchscope::commandline {

// What a parser found wrong with a command line, with the flag, what it takes and how to mend it.
// Kinds: usage; input, for a file of flags (--config) that cannot be read.
base::Error usage_error(const CLI::App& app, const CLI::ParseError& error);

}  // namespace batchscope::commandline
