#pragma once

#include "devices.hpp"
#include "enums.hpp"
#include "reading.hpp"

namespace batchscope::trace {

// What threads of the host did: rows of the export's tables.

// Calls of CUDA's runtime and driver.
void read_calls(SqliteReading& reading);
// Calls of libraries that know what they are for: cuDNN, cuBLAS.
void read_library_calls(SqliteReading& reading);
// Times that the recorder or the driver took for itself.
void read_overheads(SqliteReading& reading, const Enums& enums);
// Calls of the operating system that may block. The short ones, which are most, are passed over.
void read_system_calls(SqliteReading& reading);
// Ranges of NVTX. Those of torch.autograd.profiler.emit_nvtx are operators, and lose the numbers
// behind their names, which no two of them share.
void read_ranges(SqliteReading& reading, const Enums& enums);

// What devices did: rows of the export's tables of activities.
void read_kernels(SqliteReading& reading, const Devices& devices);
// Whole launches of graphs, where the recorder was told not to look inside.
void read_graphs(SqliteReading& reading, const Devices& devices);
void read_copies(SqliteReading& reading, const Devices& devices, const Enums& enums);
void read_memsets(SqliteReading& reading, const Devices& devices, const Enums& enums);
// Streams that wait, and the host that waits for streams: nothing runs.
void read_waits(SqliteReading& reading, const Devices& devices, const Enums& enums);

}  // namespace batchscope::trace
