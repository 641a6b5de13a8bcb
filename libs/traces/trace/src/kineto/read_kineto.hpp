#pragma once

#include <string>

#include "batchscope/bytes/byte_source.hpp"
#include "batchscope/trace/reader.hpp"

namespace batchscope::trace {

// Chrome's format, uncompressed. Errors: input (no trace, or not one event in it).
base::Result<Trace> read_kineto(bytes::ByteSource& bytes, std::string source,
                                const ReadOptions& options);

}  // namespace batchscope::trace
