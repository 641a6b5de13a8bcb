#pragma once

#include "batchscope/commandline/output.hpp"
#include "batchscope/report/text.hpp"
#include "format.hpp"

namespace batchscope::cli {

using commandline::check_distinct;
using commandline::check_writable;
using commandline::kExistsFix;
using commandline::Output;
using commandline::write_output;
using commandline::Written;

// Text is the report library's, and styled; other formats are plain.
Written look_of(Format format);

// As wide as the terminal that it goes to, and coloured where that shows colours. `brief`: the
// answer alone.
document::TextStyle text_options(const Output& output, bool brief = false);

}  // namespace batchscope::cli
