#pragma once

#include "batchscope/measure/in_process_executor.hpp"

namespace batchscope::measure {

// What a worker process does: reads requests from the connection `fd` (base::kChildSocket), makes
// each visit, answers, and returns the process's exit code when the connection is closed or a
// visit failed. One JSON line each way. The caller ends the process with _exit, since tearing down
// a framework costs time and tells nothing.
int worker_main(int fd, const EngineFactory& factory);

}  // namespace batchscope::measure
