#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "batchscope/advice/trace_summary.hpp"

namespace batchscope::advice {

// Nanoseconds of one part, or of the kernels of one name, a step: before and after.
struct Change {
  std::string name;
  double before_ns = 0;
  double after_ns = 0;
  double difference_ns() const { return after_ns - before_ns; }
};

// What a change of the program did to where its devices' time goes. Times are a step's, as means
// over the steps and the devices; of whole traces where one of them has no steps, or where those of
// one were recorded and those of the other inferred.
struct TraceComparison {
  std::string before;  // the files
  std::string after;
  bool by_step = false;
  int64_t steps_before = 0;
  int64_t steps_after = 0;
  Change wall;
  std::vector<Change> parts;    // all of attribution::Part, in its order: they sum to the wall
  std::vector<Change> kernels;  // by the size of the difference, the largest first
  // Of the findings before, what was predicted, and whether what was gained lies within.
  struct Prediction {
    std::string id;
    double low = 0;  // share of the time saved, of that of a step where steps are compared
    double high = 0;
    double gained = 0;  // of all that was, by how much less its part takes
    bool holds = false;
  };
  std::vector<Prediction> predictions;
  std::string message;
};

TraceComparison compare_traces(const TraceSummary& before, const TraceSummary& after);
std::string to_json(const TraceComparison& comparison);

}  // namespace batchscope::advice
