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
std::string end_line(const End& end) {
  return json_line("end", end);
}

}  // namespace batchscope::schema
