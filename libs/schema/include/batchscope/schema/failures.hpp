#pragma once

#include "batchscope/schema/run_file.hpp"

namespace batchscope::schema {

// Whether the event tells of a visit that came to nothing, in whichever way.
inline bool is_failure(const Event& event) {
  return event.kind == EventKind::out_of_memory || event.kind == EventKind::crash ||
         event.kind == EventKind::timeout || event.kind == EventKind::error;
}

}  // namespace batchscope::schema
