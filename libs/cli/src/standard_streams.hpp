#pragma once

namespace batchscope::cli {

// Puts something under descriptors 0 to 2 where the caller closed them (`>&-`): else the next file
// that is opened gets that number, and what is printed lands in it. Reading from there finds the
// end, writing fails with EBADF, as to a closed one. To be called before anything is opened.
void hold_standard_streams();

}  // namespace batchscope::cli
