#pragma once

#include <optional>

#include "batchscope/capacity/max_batch_run.hpp"
#include "batchscope/host/oom_kills.hpp"

namespace batchscope::capacity {

// A search that the kernel killed together with the process it was trying could not write that
// down. The end of the run's last probe where it has none and is believed to have run out of
// memory: the kernel has killed for memory since, or the machine was started anew. Somebody else's
// process may have been what was killed: where the peaks so far leave the size clearly below its
// limit it is believed only when that happened twice in a row. nullopt: it is tried again.
std::optional<schema::Probe> believed_end(const schema::RunFile& run,
                                          const schema::MaxBatchSettings& plan,
                                          const host::OomKills& now);

}  // namespace batchscope::capacity
