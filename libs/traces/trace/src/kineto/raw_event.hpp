#pragma once

#include <string_view>

#include "formats/tokens.hpp"

namespace batchscope::trace {

// One event of Chrome's format as it stands in the file: tokens without white space, strings with
// their quotes and escapes; empty where there is no such member. Only what somebody needs.
struct RawEvent {
  std::string_view ph, cat, name, pid, tid, ts, dur;
  bool has_others = false;  // members that are none of these

  // From "args".
  std::string_view correlation, stream, device, bytes;
  std::string_view direction, size;  // of MTIA's copies
  std::string_view copy_details;     // XLA's: "kind_src:pageable kind_dst:device size:1024"
  std::string_view grid, block;      // arrays
  std::string_view blocks_per_sm, registers, occupancy, active_blocks;
  std::string_view input_types;              // an array
  std::string_view call_stack;               // until 2021; later Python functions are events
  std::string_view collective;               // "Collective name"
  std::string_view group_name, group_ranks;  // "Process Group Name", "Process Group Ranks"
  std::string_view address, total_allocated, total_reserved, device_type, device_id;
  std::string_view label;  // "name" or "labels", of what names processes and threads
};

}  // namespace batchscope::trace
