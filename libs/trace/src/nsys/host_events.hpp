#pragma once

#include "enums.hpp"
#include "reading.hpp"

namespace batchscope::trace {

// What threads of the host did: rows of the export's tables.

// Calls of CUDA's runtime and driver.
void read_calls(Reading& reading);
// Calls of libraries that know what they are for: cuDNN, cuBLAS.
void read_library_calls(Reading& reading);
// Times that the recorder or the driver took for itself.
void read_overheads(Reading& reading, const Enums& enums);
// Calls of the operating system that may block. The short ones, which are most, are passed over.
void read_system_calls(Reading& reading);
// Ranges of NVTX. Those of torch.autograd.profiler.emit_nvtx are operators, and lose the numbers
// behind their names, which no two of them share.
void read_ranges(Reading& reading, const Enums& enums);

}  // namespace batchscope::trace
