#pragma once

#include <string>

#include "batchscope/bytes/byte_source.hpp"
#include "batchscope/trace/reader.hpp"

namespace batchscope::trace {

// JSON of rocprofv3, uncompressed. Errors: input (not one record in it).
base::Result<Trace> read_rocprof(bytes::ByteSource& bytes, std::string source,
                                 const ReadOptions& options);

}  // namespace batchscope::trace
