#include "axes/axis_row.hpp"
#include "batchscope/schema/json.hpp"
#include "fields/json_writer.hpp"

namespace batchscope::schema {

// The lengths of a mix stand in the run file alone.
template <class Json>
Json config_json(const RunConfig& config) {
  Json json;
  for (const AxisRow& row : axis_rows()) put_fields({row.fields}, &config, json);
  return json;
}

template nlohmann::ordered_json config_json(const RunConfig& config);

}  // namespace batchscope::schema
