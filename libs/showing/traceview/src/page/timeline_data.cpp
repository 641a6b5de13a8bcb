#include "timeline_data.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "batchscope/charts/time_line.hpp"
#include "batchscope/traceview/document.hpp"
#include "part_styles.hpp"
#include "time_picture.hpp"

namespace batchscope::traceview {
namespace {

using advice::TraceSummary;
using attribution::DeviceTime;
using attribution::Gap;
using attribution::kParts;
using attribution::Part;
using Json = nlohmann::ordered_json;

// On a whole page: about 4 MB of text, and read in a tenth of a second.
constexpr size_t kMostSegments = 1'000'000;

Json parts_json() {
  Json all = Json::array();
  for (size_t i = 0; i < kParts; ++i) {
    const auto part = static_cast<Part>(i);
    const PartStyle& look = look_of(part);
    all.push_back(
        {{"key", look.key}, {"name", look.name}, {"idle", is_idle(part)}, {"weave", look.weave}});
  }
  return all;
}

// Between which sums are to be exact: what the page has a figure of.
std::vector<int64_t> cuts_of(const TraceSummary& summary, const DeviceTime& device) {
  std::set<int64_t> cuts{device.start_ns, device.end_ns};
  for (const attribution::Step& step : summary.attribution.steps) {
    cuts.insert(step.start_ns);
    cuts.insert(step.end_ns);
    if (cuts.size() > 2 * kMostSteps) break;
  }
  return {cuts.begin(), cuts.end()};
}

class TimelineData {
 public:
  explicit TimelineData(const TraceSummary& summary)
      : summary_(summary), window_(window_of(summary)) {}

  Json make() const {
    return {{"wall", window_.end_ns - window_.start_ns},
            {"parts", parts_json()},
            {"devices", devices()},
            {"steps", steps()},
            {"gaps", gaps()},
            {"memory", memory()}};
  }

 private:
  int64_t at(int64_t ns) const { return ns - window_.start_ns; }

  Json devices() const {
    size_t pieces = 0;
    for (const DeviceTime& device : summary_.attribution.devices) pieces += device.pieces.size();
    Json all = Json::array();
    for (const DeviceTime& device : summary_.attribution.devices) {
      const double share = static_cast<double>(device.pieces.size()) /
                           static_cast<double>(std::max<size_t>(1, pieces));
      const auto most = static_cast<size_t>(share * static_cast<double>(kMostSegments));
      const charts::PackedTime time =
          charts::packed(device.pieces, cuts_of(summary_, device), std::max<size_t>(1000, most));
      all.push_back({{"name", device_label(summary_, device.id)},
                     {"brief", device_name(summary_, device.id)},
                     {"start", at(device.start_ns)},
                     {"end", at(device.end_ns)},
                     {"wall", device.wall_ns()},
                     {"from", device.pieces.empty() ? 0 : at(time.start_ns)},
                     {"unit", time.unit_ns},
                     {"spans", time.segments},
                     {"pieces", time.pieces},
                     {"packed", time.base64}});
    }
    return all;
  }

  Json steps() const {
    Json all = Json::array();
    for (const attribution::Step& step : summary_.attribution.steps) {
      if (all.size() == kMostSteps) break;
      all.push_back({{"number", step.number},
                     {"name", step.name},
                     {"start", at(step.start_ns)},
                     {"end", at(step.end_ns)}});
    }
    return all;
  }

  // In the order of the rows of their table.
  Json gaps() const {
    Json all = Json::array();
    const auto& devices = summary_.attribution.devices;
    for (size_t i = 0; i < devices.size(); ++i) {
      for (const Gap& gap : devices[i].largest_gaps) {
        all.push_back({{"device", i},
                       {"start", at(gap.start_ns)},
                       {"end", at(gap.end_ns)},
                       {"cause", static_cast<int>(gap.cause)},
                       {"parts", gap.parts.ns},
                       {"call", gap.call},
                       {"inside", gap.inside},
                       {"source", gap.source},
                       {"thread", thread_label(gap)}});
      }
    }
    return all;
  }

  Json memory() const {
    Json all = Json::array();
    for (const attribution::DeviceMemory& device : summary_.memory) {
      Json moments = Json::array();
      for (const attribution::MemoryMoment& moment : device.timeline) {
        moments.push_back({at(moment.time_ns), moment.allocated_bytes, moment.reserved_bytes});
      }
      all.push_back({{"name", device_name(summary_, device.device)},
                     {"counted", !device.has_totals},
                     {"moments", moments}});
    }
    return all;
  }

  const TraceSummary& summary_;
  TimeWindow window_;
};

}  // namespace

std::string thread_label(const Gap& gap) {
  const std::string number = fmt::format("thread {}", gap.thread);
  // Recorders that name a thread by its number say so before its name.
  const bool named = gap.thread_name.find(number) != std::string::npos;
  const std::string name = gap.thread_name.empty() ? "" : " (" + gap.thread_name + ")";
  return fmt::format("{} of process {}", named ? gap.thread_name : number + name, gap.process);
}

std::string timeline_data(const TraceSummary& summary) {
  return TimelineData(summary).make().dump(-1, ' ', true, Json::error_handler_t::replace);
}

}  // namespace batchscope::traceview
