#pragma once

#include <string_view>

#include "batchscope/base/result.hpp"

namespace batchscope::commandline {

// Puts something under descriptors 0 to 2 where the caller closed them (`>&-`): else the next file
// that is opened gets that number, and what is printed lands in it. Reading from there finds the
// end, writing fails with EBADF, as to a closed one. To be called before anything is opened.
void hold_standard_streams();

// Writes to standard output, all of it now. Errors: failed (a full disk, a closed stream). A reader
// that went away (`| head`) has had enough, which is none: reader_left() tells from then on.
base::Result<void> print(std::string_view text);
bool reader_left();

}  // namespace batchscope::commandline
