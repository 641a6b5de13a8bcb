#pragma once

#include <string>

#include "batchscope/trace/reader.hpp"
#include "bytes/byte_source.hpp"

namespace batchscope::trace {

// Chrome's format, uncompressed. Errors: input (no trace, or not one event in it).
base::Result<Trace> read_kineto(ByteSource& bytes, std::string source, const ReadOptions& options);

}  // namespace batchscope::trace
