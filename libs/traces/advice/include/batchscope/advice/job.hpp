#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "batchscope/advice/trace_summary.hpp"

namespace batchscope::advice {

// One of the processes that work together, against the others.
struct RankTimes {
  int rank = 0;
  std::string source;
  int64_t wall_ns = 0;
  int64_t compute_ns = 0;
  int64_t communication_ns = 0;  // of collectives, exposed or not
  // Of that, what it spent in collectives in which others were not there yet: from its own start to
  // that of the last.
  int64_t waited_ns = 0;
  int64_t last_to_arrive = 0;  // in so many collectives
  // How far its clock and start are off: what has to be added to its times so that collectives end
  // together with those of another rank: of the first that it is in collectives with, also through
  // others.
  int64_t offset_ns = 0;
  int clock_of = 0;  // the number of that rank
};

// Several ranks of one job.
struct JobSummary {
  std::vector<TraceSummary> ranks;  // in the order of their rank
  std::vector<RankTimes> times;     // likewise; empty where there is one rank
  int64_t compared_collectives = 0;
  std::vector<findings::Finding> findings;  // about the ranks together
  std::string message;
};

// Ranks whose file names none are counted in the order given. Collectives are paired by group and
// name, and of one name by their order: that waiting shows in the durations alone needs no common
// clock. Where two ranks first meet, what one's recording began later is no waiting.
JobSummary compare_ranks(std::vector<TraceSummary> ranks);

}  // namespace batchscope::advice
