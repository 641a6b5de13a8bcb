#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "batchscope/advice/trace_summary.hpp"
#include "batchscope/stats/interval.hpp"

namespace batchscope::advice {

// Nanoseconds of one part, or of the kernels of one name, a step: before and after.
struct Change {
  std::string name;
  double before_ns = 0;
  double after_ns = 0;
  double difference_ns() const { return after_ns - before_ns; }
};

// What a change of the program did to where its devices' time goes. Times are a step's: of the
// steps the median, without the first and the last where there are five or more; means over the
// devices, the ranks and the recordings. Of whole traces where one side has no steps, or where
// those of one were recorded and those of the other inferred.
struct TraceComparison {
  std::string before;  // the files, the first of each side
  std::string after;
  bool by_step = false;
  bool of_host = false;  // one side has no device: the host's time is compared
  int64_t steps_before = 0;
  int64_t steps_after = 0;
  int64_t recordings_before = 1;
  int64_t recordings_after = 1;
  // What differs beside the program: devices, versions, ranks, how it was recorded.
  std::vector<std::string> differences;
  Change wall;
  // How much longer a step or a recording takes, as a share, 95 %; of two recordings a side and
  // more.
  std::optional<stats::Interval> interval;
  int64_t steps_shorter = 0;      // of those after, than the median before
  int64_t steps_longer = 0;       // likewise; those that take as long are neither
  Change mean;                    // of all steps, where steps are compared
  std::vector<Change> parts;      // of attribution::Part, in its order, or of the host: they sum to
                                  // the wall
  std::vector<Change> kernels;    // by the size of the difference, the largest first
  std::vector<Change> operators;  // likewise; own times of the host's operators, ranges and calls
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

// Of each side the traces of one recording, a file a rank, or those of several; at least one.
TraceComparison compare_traces(const std::vector<TraceSummary>& before,
                               const std::vector<TraceSummary>& after);

}  // namespace batchscope::advice
