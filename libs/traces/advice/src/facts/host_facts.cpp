#include "host_facts.hpp"

#include <algorithm>
#include <array>
#include <unordered_set>
#include <vector>

#include "batchscope/base/parse_number.hpp"
#include "batchscope/base/strings.hpp"

namespace batchscope::advice {
namespace {

using base::contains_any_text;
using base::contains_text;
using trace::ActivityKind;

// Operators that read one number, or how many there are of something, off the device.
constexpr std::array<std::string_view, 6> kScalarReads{
    "aten::item",  "aten::_local_scalar_dense", "aten::is_nonzero", "aten::equal", "aten::nonzero",
    "aten::unique"};
constexpr int64_t kScalarBytes = 16;

bool waits(std::string_view call) {
  return contains_text(call, "ynchronize") ||
         (contains_text(call, "Memcpy") && !contains_text(call, "Async"));
}

// Copies of a few bytes to the host, by the number that they share with their call.
std::unordered_set<int64_t> scalar_copies(const trace::Trace& trace) {
  std::unordered_set<int64_t> found;
  const auto& rows = trace.activities;
  for (size_t row = 0; row < rows.size(); ++row) {
    const trace::CopyFacts* const copy =
        rows.kind[row] == ActivityKind::memcpy ? trace.copy_of(row) : nullptr;
    if (copy == nullptr || copy->direction != trace::CopyDirection::to_host) continue;
    if (copy->bytes > 0 && copy->bytes <= kScalarBytes && rows.correlation[row] >= 0) {
      found.insert(rows.correlation[row]);
    }
  }
  return found;
}

class ScalarReads {
 public:
  explicit ScalarReads(const trace::Trace& trace)
      : trace_(trace), copies_(scalar_copies(trace)), names_(trace.names.size()) {
    for (size_t name = 0; name < trace.names.size(); ++name) {
      names_[name] = contains_any_text(trace.names[name], kScalarReads);
    }
    for (size_t track = 0; track < trace.tracks.size(); ++track) {
      if (!trace.tracks[track].on_device()) add_thread(track);
    }
  }

  std::map<std::string, double, std::less<>> shares() const {
    std::map<std::string, double, std::less<>> shares;
    for (const auto& [name, time] : times_) {
      if (time.all > 0) shares[trace_.names[name]] = time.scalar / time.all;
    }
    return shares;
  }

 private:
  struct Time {
    double scalar = 0;
    double all = 0;
  };

  void add_thread(size_t track) {
    const auto& rows = trace_.activities;
    int64_t within_to = INT64_MIN;  // the end of an operator that reads a scalar
    bool copied = false;            // the call before copied one
    for (size_t row = trace_.first_of_track[track]; row < trace_.first_of_track[track + 1]; ++row) {
      const bool reads = names_[rows.name[row]] && rows.kind[row] == ActivityKind::op;
      if (reads) within_to = std::max(within_to, rows.end_ns(row));
      if (rows.kind[row] != ActivityKind::runtime) continue;
      const bool copies = rows.correlation[row] >= 0 && copies_.contains(rows.correlation[row]);
      const bool is_scalar = copies || copied || rows.start_ns[row] < within_to;
      copied = copies;
      if (!copies && !waits(trace_.name_of(row))) continue;
      Time& time = times_[rows.name[row]];
      const auto duration = static_cast<double>(rows.duration_ns[row]);
      time.all += duration;
      time.scalar += is_scalar ? duration : 0;
    }
  }

  const trace::Trace& trace_;
  std::unordered_set<int64_t> copies_;
  std::vector<bool> names_;
  std::map<uint32_t, Time> times_;
};

// By the iterator's class, or by the functions of Python that only one of the classes calls.
constexpr std::array<std::string_view, 3> kOfWorkers{"_MultiProcessingDataLoaderIter",
                                                     ": _try_get_data", ": _try_put_index"};
constexpr std::array<std::string_view, 2> kInLine{"_SingleProcessDataLoaderIter",
                                                  "torch/utils/data/_utils/fetch.py"};

void add_loader(std::string_view name, HostFacts& facts) {
  if (contains_any_text(name, kOfWorkers)) {
    facts.loader = Loader::workers;
  } else if (contains_any_text(name, kInLine) && facts.loader != Loader::workers) {
    facts.loader = Loader::in_line;
  } else if (contains_text(name, "IteratorGetNext") && facts.loader == Loader::none) {
    facts.loader = Loader::tensorflow;
  }
}

// By the threads and processes of the loader, where recorders name them, or what somebody wrote
// into the trace.
int64_t workers_of(const trace::Trace& trace) {
  const auto stated = trace.settings.find("num_workers");
  if (stated != trace.settings.end())
    return base::parse_number<int64_t>(stated->second).value_or(0);
  int64_t workers = 0;
  for (const trace::Track& track : trace.tracks) {
    workers += contains_text(track.name, "pt_data_worker") ? 1 : 0;
  }
  return workers;
}

bool is_graph_launch(std::string_view call) {
  return contains_text(call, "GraphLaunch");
}

bool trains(std::string_view name) {
  constexpr std::array<std::string_view, 4> kOfTraining{"ackward", "Optimizer", "optimizer",
                                                        "_bwd"};
  return contains_any_text(name, kOfTraining);
}

}  // namespace

HostFacts host_facts(const trace::Trace& trace) {
  HostFacts facts;
  facts.trains = std::any_of(trace.names.begin(), trace.names.end(), trains);
  const auto& rows = trace.activities;
  std::vector<bool> looked(trace.names.size());
  for (size_t row = 0; row < rows.size(); ++row) {
    const ActivityKind kind = rows.kind[row];
    facts.has_stacks = facts.has_stacks || kind == ActivityKind::python;
    facts.has_shapes =
        facts.has_shapes || (kind == ActivityKind::op && rows.detail[row] != trace::kNone);
    const bool is_call = kind == ActivityKind::runtime;
    const std::string_view name = trace.name_of(row);
    facts.launches += is_call && contains_text(name, "Launch") ? 1 : 0;
    if (!on_host(kind) || looked[rows.name[row]]) continue;
    looked[rows.name[row]] = true;
    add_loader(name, facts);
    facts.launches_graphs = facts.launches_graphs || (is_call && is_graph_launch(name));
  }
  facts.has_memory = !trace.memory.empty();
  facts.loader_workers = facts.loader == Loader::workers ? workers_of(trace) : 0;
  facts.scalar_share = ScalarReads(trace).shares();
  return facts;
}

}  // namespace batchscope::advice
