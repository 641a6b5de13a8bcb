#pragma once

#include "devices.hpp"
#include "enums.hpp"
#include "reading.hpp"

namespace batchscope::trace {

// What devices did: rows of the export's tables of activities.
void read_kernels(Reading& reading, const Devices& devices);
// Whole launches of graphs, where the recorder was told not to look inside.
void read_graphs(Reading& reading, const Devices& devices);
void read_copies(Reading& reading, const Devices& devices, const Enums& enums);
void read_memsets(Reading& reading, const Devices& devices, const Enums& enums);
// Streams that wait, and the host that waits for streams: nothing runs.
void read_waits(Reading& reading, const Devices& devices, const Enums& enums);

}  // namespace batchscope::trace
