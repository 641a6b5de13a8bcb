#include "batchscope/schema/json_line.hpp"
#include "batchscope/schema/run_file.hpp"
#include "batchscope/schema/tables.hpp"
#include "fields/texts_by_name.hpp"

namespace batchscope::schema {

std::string header_line(const Header& header) {
  if (!header.tune && !header.max_batch) return json_line("header", header);
  Header written = header;
  if (header.tune) put_into_texts(table_of<TuneSettings>(), &*header.tune, written.axes);
  if (header.max_batch) {
    put_into_texts(table_of<MaxBatchSettings>(), &*header.max_batch, written.axes);
  }
  return json_line("header", written);
}
std::string config_line(int index, const RunConfig& config) {
  return json_line("config", ConfigRecord{index, config});
}
std::string visit_line(const Visit& visit) {
  return json_line("visit", visit);
}
std::string event_line(const Event& event) {
  return json_line("event", event);
}
std::string outputs_line(const OutputDifference& outputs) {
  return json_line("outputs", outputs);
}
std::string probe_line(const Probe& probe) {
  return json_line("probe", probe);
}
std::string node_line(int index, const Node& node) {
  return json_line("node", NodeRecord{index, node});
}
std::string place_line(const Placement& placement) {
  return json_line("place", placement);
}
std::string end_line(const End& end) {
  return json_line("end", end);
}

std::string run_file_text(const RunFile& run) {
  std::string text = header_line(run.header) + "\n";
  int index = 0;
  for (const RunConfig& config : run.configs) text += config_line(index++, config) + "\n";
  index = 0;
  for (const Node& node : run.nodes) text += node_line(index++, node) + "\n";
  for (const Placement& placement : run.placements) text += place_line(placement) + "\n";
  for (const Visit& visit : run.visits) text += visit_line(visit) + "\n";
  for (const Event& event : run.events) text += event_line(event) + "\n";
  for (const OutputDifference& outputs : run.outputs) text += outputs_line(outputs) + "\n";
  for (const Probe& probe : run.probes) text += probe_line(probe) + "\n";
  if (run.end) text += end_line(*run.end) + "\n";
  return text;
}

}  // namespace batchscope::schema
