#pragma once

#include <string>

#include "batchscope/bytes/byte_source.hpp"

namespace batchscope::bytes {

// All that the source has, as one member of gzip. Its damage() says whether that was all.
std::string gzipped(ByteSource& source);

}  // namespace batchscope::bytes
