#pragma once

#include <string>

#include "batchscope/findings/summary.hpp"

namespace batchscope::report {

// One row a configuration of every group, in order: the axes (model, batch_size, seq_len,
// precision, device, threads, instances, mode, engine), then time_ms to verdict. RFC 4180 quoting,
// lines end in "\n"; numbers read back to the same double; empty where there is none.
std::string csv(const findings::Summary& summary);

}  // namespace batchscope::report
