#pragma once

#include <vector>

#include "batchscope/attribution/trace_index.hpp"
#include "communication.hpp"
#include "correlations.hpp"
#include "name_classes.hpp"

namespace batchscope::attribution {

struct TraceIndex::Found {
  explicit Found(const trace::Trace& trace) : classes(classes_of(trace.names)), launches(trace) {
    find_communication(trace, launches, classes);
  }

  std::vector<NameClass> classes;  // of each of the trace's names
  Correlations launches;
};

}  // namespace batchscope::attribution
