#include <fmt/format.h>

#include "batchscope/base/strings.hpp"
#include "batchscope/base/units.hpp"
#include "tables/tables.hpp"

namespace batchscope::monitor_report {
namespace {

using document::KeyValue;

constexpr size_t kMostTraces = 10;

std::string silences(const TimeAxis& clock) {
  if (clock.gaps == 0) return "none";
  return fmt::format("{}, the longest {}", clock.gaps, lasting(clock.longest_gap_ns));
}

void add_traces(const RecordedSeries& recorded, std::vector<KeyValue>& fields) {
  size_t traces = 0;
  for (const Loop& loop : recorded.loops) {
    for (const telemetry::TrainingStep* step : loop.steps) {
      if (step->profile_file.empty() || ++traces > kMostTraces) continue;
      fields.push_back({fmt::format("trace up to step {}", step->step), step->profile_file});
    }
  }
  if (traces > kMostTraces) {
    fields.push_back({"more traces", fmt::format("{}", traces - kMostTraces)});
  }
}

void add_header(const LogView& view, std::vector<KeyValue>& fields) {
  const telemetry::LogHeader& header = view.log.header;
  if (!view.file.empty()) fields.push_back({"file", view.file});
  if (!header.host.empty()) fields.push_back({"machine", header.host});
  if (!header.command.empty()) {
    fields.push_back({"command", base::join(header.command, " "), true});
  }
  if (!header.tool_version.empty()) fields.push_back({"batchscope", header.tool_version});
}

}  // namespace

document::KeyValues reading_facts(const LogView& view, const RecordedSeries& recorded) {
  document::KeyValues facts;
  std::vector<KeyValue>& fields = facts.fields;
  add_header(view, fields);
  if (!recorded.empty()) {
    fields.push_back({"from", utc(recorded.start_ns)});
    fields.push_back({"to", utc(recorded.end_ns)});
  }
  const double interval = view.log.header.interval_seconds;
  const size_t samples = recorded.samples.size();
  fields.push_back(
      {"samples",
       counted(samples, "sample", "samples") +
           (interval > 0 && samples > 0 ? ", one every " + base::format_seconds(interval) : "")});
  if (samples > 0) fields.push_back({"gaps", silences(recorded.clocks.front())});
  for (const Loop& loop : recorded.loops) {
    fields.push_back({loop.name.empty() ? "steps" : "steps of " + loop.name,
                      counted(loop.steps.size(), "step", "steps")});
  }
  fields.push_back({"unread lines", view.log.unread_lines == 0
                                        ? "none"
                                        : fmt::format("{}, the first: {}", view.log.unread_lines,
                                                      view.log.first_problem)});
  add_traces(recorded, fields);
  return facts;
}

}  // namespace batchscope::monitor_report
