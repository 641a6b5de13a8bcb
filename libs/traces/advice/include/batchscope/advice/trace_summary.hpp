#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "batchscope/attribution/attribution.hpp"
#include "batchscope/attribution/collectives.hpp"
#include "batchscope/attribution/host_time.hpp"
#include "batchscope/attribution/memory.hpp"
#include "batchscope/attribution/totals.hpp"
#include "batchscope/findings/catalogue.hpp"
#include "batchscope/findings/finding.hpp"
#include "batchscope/trace/trace.hpp"

namespace batchscope::advice {

// What is told of one trace. It does not hold the trace: it is small, however long that was.
struct TraceSummary {
  std::string source;  // the file, as it was named
  std::optional<int> rank;
  trace::ReadSummary read;
  std::vector<trace::DeviceInfo> devices;       // as the trace describes them
  std::string device_word = "GPU";              // how one is called: "MTIA", "NPU"
  std::map<std::string, std::string> settings;  // as trace::Trace::settings
  std::optional<int> world_size;
  std::set<trace::ActivityKind> kinds;  // of what was recorded
  attribution::Attribution attribution;
  std::optional<attribution::HostTime> host;  // where no device was recorded
  // Names with the longest self time first; of the rest the sum under "other".
  std::vector<attribution::Total> kernels;    // kernels, copies and memsets
  std::vector<attribution::Total> operators;  // operators, ranges and calls of the host
  std::vector<attribution::DeviceMemory> memory;
  std::vector<attribution::Collective> collectives;
  std::vector<findings::Finding> findings;  // by severity, worst first
  std::string message;                      // the answer: one or two sentences
};

struct SummaryOptions {
  attribution::AttributionOptions attribution;
  size_t most_names = 50;    // of kernels, and of operators
  bool keep_pieces = false;  // Attribution::devices[].pieces, for a time line
};

// Where the devices' time went, and what would change it. A gain is the share of the device's time
// that is saved: at most all idle time of the cause, at least half of it, since what was hidden
// behind it shows once it is gone. Gains of different findings do not overlap, but where one says
// so.
TraceSummary summarise(const trace::Trace& trace, const SummaryOptions& options = {});

// What the message says most is to be gained by; nullptr where it says that nothing is.
const findings::Finding* most_to_gain(const std::vector<findings::Finding>& sorted);

// What is told of traces.
const findings::Catalogue& kinds();

}  // namespace batchscope::advice
