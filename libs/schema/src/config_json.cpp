#include <nlohmann/json.hpp>

#include "axes/axis_row.hpp"
#include "batchscope/schema/json.hpp"

namespace batchscope::schema {

template <class Json>
Json config_json(const RunConfig& config) {
  Json json;
  for (const AxisRow& row : axis_rows()) row.write(config, json);
  return json;
}

template nlohmann::ordered_json config_json(const RunConfig& config);

}  // namespace batchscope::schema
