#include <nlohmann/json.hpp>

#include "batchscope/schema/json.hpp"
#include "batchscope/traceview/trace.hpp"
#include "json/host_json.hpp"

namespace batchscope::traceview {
namespace {

using advice::JobSummary;
using advice::RankTimes;
using advice::TraceSummary;
using attribution::Part;
using attribution::TimeParts;
using Json = nlohmann::ordered_json;

void put_parts(const TimeParts& parts, Json& json) {
  json["wall_ns"] = parts.wall_ns();
  for (const Part part : {Part::compute, Part::memcpy, Part::communication}) {
    json[std::string(to_string(part)) + "_ns"] = parts[part];
  }
  json["idle_ns"] = parts.idle_ns();
  for (const Part part : {Part::data_loading, Part::synchronisation, Part::launch, Part::host,
                          Part::device, Part::unknown}) {
    json["idle"][std::string(to_string(part)) + "_ns"] = parts[part];
  }
}

Json gap_json(const attribution::Gap& gap) {
  return {{"start_ns", gap.start_ns},
          {"duration_ns", gap.end_ns - gap.start_ns},
          {"cause", to_string(gap.cause)},
          {"process", gap.process},
          {"thread", gap.thread},
          {"thread_name", gap.thread_name},
          {"call", gap.call},
          {"inside", gap.inside},
          {"source", gap.source}};
}

Json device_json(const TraceSummary& summary, const attribution::DeviceTime& device) {
  Json json = {{"id", device.id}};
  for (const trace::DeviceInfo& info : summary.devices) {
    if (info.id == device.id && !info.name.empty()) json["name"] = info.name;
  }
  json["start_ns"] = device.start_ns;
  put_parts(device.parts, json);
  json["activities"] = device.activities;
  json["orphans"] = device.orphans;
  json["hidden_ns"] = device.hidden_ns;
  json["gaps"] = device.gaps;
  json["largest_gaps"] = Json::array();
  for (const attribution::Gap& gap : device.largest_gaps) {
    json["largest_gaps"].push_back(gap_json(gap));
  }
  json["places"] = Json::array();
  for (const attribution::IdleSite& place : device.places) {
    json["places"].push_back({{"cause", to_string(place.cause)},
                              {"call", place.call},
                              {"idle_ns", place.ns},
                              {"gaps", place.gaps},
                              {"inside", place.inside},
                              {"source", place.source},
                              {"holds_others", place.holds_others}});
  }
  return json;
}

Json launches_json(const attribution::LostLaunches& lost) {
  return {{"all", lost.launches},
          {"without_work", lost.lost},
          {"graphs_without_work", lost.lost_graphs},
          {"captured", lost.captured},
          {"without_time", lost.without_time}};
}

Json step_json(const TraceSummary& summary, const attribution::Step& step) {
  Json json = {{"step", step.number},
               {"name", step.name},
               {"start_ns", step.start_ns},
               {"wall_ns", step.wall_ns()},
               {"devices", Json::array()}};
  for (size_t i = 0; i < step.devices.size(); ++i) {
    Json device = {{"id", summary.attribution.devices[i].id}};
    put_parts(step.devices[i], device);
    json["devices"].push_back(std::move(device));
  }
  return json;
}

Json exclusion_json(const attribution::ExcludedInterval& exclusion) {
  return {{"reason", to_string(exclusion.reason)},
          {"step", exclusion.step},
          {"start_ns", exclusion.start_ns},
          {"wall_ns", exclusion.wall_ns()},
          {"times_typical", exclusion.times_typical}};
}

Json total_json(const attribution::Total& total) {
  Json json = {{"name", total.name},
               {"kind", to_string(total.kind)},
               {"calls", total.calls},
               {"calls_in_steps", total.calls_in_steps},
               {"total_ns", total.total_ns},
               {"self_ns", total.self_ns},
               {"longest_ns", total.longest_ns}};
  if (total.communicates) json["communicates"] = true;
  if (total.launch.grid_blocks > 0) json["grid_blocks"] = total.launch.grid_blocks;
  if (total.launch.occupancy >= 0) json["occupancy"] = total.launch.occupancy;
  if (total.bytes > 0) json["bytes"] = total.bytes;
  return json;
}

Json memory_json(const attribution::DeviceMemory& memory) {
  Json json = {{"device", memory.device},
               {"peak_allocated_bytes", memory.peak.allocated_bytes},
               {"peak_reserved_bytes", memory.peak_reserved_bytes},
               {"lowest_allocated_bytes", memory.lowest_bytes},
               {"counts_from_zero", !memory.has_totals},
               {"at_step_end_bytes", memory.at_step_end},
               {"timeline", Json::array()}};
  for (const attribution::MemoryMoment& moment : memory.timeline) {
    json["timeline"].push_back({{"time_ns", moment.time_ns},
                                {"allocated_bytes", moment.allocated_bytes},
                                {"reserved_bytes", moment.reserved_bytes}});
  }
  return json;
}

Json read_json(const trace::ReadSummary& read) {
  return {{"profiler", read.profiler},
          {"bytes", read.bytes},
          {"events", read.events},
          {"passed_over", read.passed_over},
          {"skipped", read.skipped},
          {"truncated", read.truncated},
          {"unread_bytes", read.unread_bytes},
          {"problems", read.problems}};
}

Json findings_json(const std::vector<findings::Finding>& findings) {
  Json json = Json::array();
  for (const auto& finding : findings) json.push_back(Json::parse(findings::to_json(finding)));
  return json;
}

Json summary_json(const TraceSummary& summary) {
  Json json = {{"source", summary.source}};
  if (summary.rank) json["rank"] = *summary.rank;
  json["message"] = summary.message;
  json["read"] = read_json(summary.read);
  json["devices"] = Json::array();
  for (const auto& device : summary.attribution.devices) {
    json["devices"].push_back(device_json(summary, device));
  }
  json["step_source"] = to_string(summary.attribution.step_source);
  if (const auto median = summary.attribution.median_step()) {
    json["median_step"] = summary.attribution.steps[*median].number;
  }
  json["launches"] = launches_json(summary.attribution.lost);
  json["steps"] = Json::array();
  for (const auto& step : summary.attribution.steps) {
    json["steps"].push_back(step_json(summary, step));
  }
  json["excluded"] = Json::array();
  for (const auto& each : summary.attribution.exclusions) {
    json["excluded"].push_back(exclusion_json(each));
  }
  if (summary.host) json["host"] = host_json(*summary.host);
  json["findings"] = findings_json(summary.findings);
  for (const auto& [name, totals] :
       {std::pair("kernels", &summary.kernels), std::pair("operators", &summary.operators)}) {
    json[name] = Json::array();
    for (const auto& total : *totals) json[name].push_back(total_json(total));
  }
  json["memory"] = Json::array();
  for (const auto& memory : summary.memory) json["memory"].push_back(memory_json(memory));
  return json;
}

Json rank_times_json(const RankTimes& times) {
  return {{"rank", times.rank},
          {"source", times.source},
          {"wall_ns", times.wall_ns},
          {"compute_ns", times.compute_ns},
          {"communication_ns", times.communication_ns},
          {"waited_ns", times.waited_ns},
          {"last_to_arrive", times.last_to_arrive},
          {"offset_ns", times.offset_ns},
          {"clock_of", times.clock_of}};
}

std::string document(const Json& body) {
  Json json = {{"schema_version", 1}};
  json.update(body);
  return schema::dump(json) + "\n";
}

}  // namespace

std::string trace_json(const TraceSummary& summary) {
  return document(summary_json(summary));
}

std::string trace_json(const JobSummary& job) {
  if (job.ranks.size() == 1) return trace_json(job.ranks.front());
  Json json = {{"message", job.message},
               {"compared_collectives", job.compared_collectives},
               {"findings", findings_json(job.findings)},
               {"rank_times", Json::array()},
               {"ranks", Json::array()}};
  for (const RankTimes& times : job.times) json["rank_times"].push_back(rank_times_json(times));
  for (const TraceSummary& rank : job.ranks) json["ranks"].push_back(summary_json(rank));
  return document(json);
}

}  // namespace batchscope::traceview
