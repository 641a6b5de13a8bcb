#pragma once

#include "batchscope/schema/run_file.hpp"

namespace batchscope::schema {

// Whether the event tells of a visit that came to nothing, in whichever way.
inline bool is_failure(const Event& event) {
  return event.kind == "out-of-memory" || event.kind == "crash" || event.kind == "timeout" ||
         event.kind == "error";
}

}  // namespace batchscope::schema
