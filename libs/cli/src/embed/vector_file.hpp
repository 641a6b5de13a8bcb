#pragma once

#include <string>

#include "embed_texts.hpp"

namespace batchscope::cli {

// NumPy's format, version 1.0: float32 of texts x width.
std::string as_npy(const Embedded& embedded);

// A line for each text: {"text":1,"tokens":[101,...],"vector":[0.1,...]}; numbers that read back as
// the same float32.
std::string as_json_lines(const Embedded& embedded);

}  // namespace batchscope::cli
