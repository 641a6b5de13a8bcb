#pragma once

#include <optional>
#include <vector>

#include "batchscope/findings/summary.hpp"
#include "batchscope/schema/run_file.hpp"

namespace batchscope::tables {

// Peak memory against batch size, of a table whose rows and sizes set aside are there: what the
// device's allocator handed out and what it took from the device, or else the process's resident
// peak of its iterations. The largest batch that fits is predicted for one instance, on the host
// against this limit, else that of the plan, else the memory of the machine; on a device, from what
// was handed out, against this limit, else the memory of a CUDA device where all GPUs of the header
// have as much. Only where memory grew by 5 % or more over the sizes, and never a size at or beyond
// one that ran out of memory. Empty where fewer than two sizes have a peak.
std::vector<findings::MemoryLaw> memory_laws_of(const findings::Group& group,
                                                const schema::Header& header,
                                                std::optional<int64_t> memory_limit_bytes = {});

}  // namespace batchscope::tables
