#include "config_json.hpp"

namespace batchscope::schema {

nlohmann::ordered_json config_json(const RunConfig& config) {
  nlohmann::ordered_json json = {{"engine", config.engine}, {"model", config.model}};
  if (config.shape.batch_size != 0) json["batch_size"] = config.shape.batch_size;
  if (config.shape.seq_len) json["seq_len"] = *config.shape.seq_len;
  if (!config.shape.length_mix.empty()) json["length_mix"] = config.shape.length_mix;
  json["precision"] = to_string(config.precision);
  json["device"] = config.device;
  json["threads"] = config.threads;
  json["instances"] = config.instances;
  json["mode"] = to_string(config.mode);
  if (!config.optimizer.empty()) json["optimizer"] = config.optimizer;
  if (config.checkpointing) json["checkpointing"] = true;
  if (!config.environment.empty()) json["environment"] = config.environment;
  return json;
}

}  // namespace batchscope::schema
