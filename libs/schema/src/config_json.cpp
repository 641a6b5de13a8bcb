#include <nlohmann/json.hpp>

#include "batchscope/schema/json.hpp"

namespace batchscope::schema {
namespace {

nlohmann::ordered_json pipeline_json(const TextPipeline& pipeline) {
  nlohmann::ordered_json json = {{"tokenizer", pipeline.tokenizer}};
  if (!pipeline.texts.empty()) json["texts"] = pipeline.texts;
  if (pipeline.max_length > 0) json["max_length"] = pipeline.max_length;
  json["tokenizer_threads"] = pipeline.tokenizer_threads;
  json["padding"] = pipeline.padding;
  json["order"] = pipeline.order;
  if (pipeline.token_budget > 0) json["token_budget"] = pipeline.token_budget;
  json["pooling"] = pipeline.pooling;
  json["normalize"] = pipeline.normalize;
  return json;
}

nlohmann::ordered_json loader_json(const Loader& loader) {
  nlohmann::ordered_json json = {
      {"source", loader.source}, {"workers", loader.workers}, {"prefetch", loader.prefetch}};
  if (loader.prefetch_to_device) json["prefetch_to_device"] = true;
  return json;
}

}  // namespace

template <class Json>
Json config_json(const RunConfig& config) {
  Json json = {{"engine", config.engine}, {"model", config.model}};
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
  if (config.accumulation != 1) json["accumulation"] = config.accumulation;
  if (config.loader) json["loader"] = loader_json(*config.loader);
  if (config.pipeline) json["pipeline"] = pipeline_json(*config.pipeline);
  if (!config.environment.empty()) json["environment"] = config.environment;
  return json;
}

template nlohmann::ordered_json config_json(const RunConfig& config);

}  // namespace batchscope::schema
