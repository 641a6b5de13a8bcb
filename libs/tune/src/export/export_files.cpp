#include <fmt/format.h>

#include "batchscope/schema/not_stated.hpp"
#include "batchscope/tune/outcome.hpp"
#include "export_texts.hpp"

namespace batchscope::tune {
namespace {

std::string yaml_of_texts(const schema::TextPipeline& texts) {
  return fmt::format(
      "tokenizer: {}\ntokenizer_threads: {}\nmax_length: {}\npadding: {}\norder: {}\n"
      "token_budget: {}\npooling: {}\nnormalize: {}\n",
      plain_quoted(texts.tokenizer), texts.tokenizer_threads, texts.max_length,
      plain_quoted(texts.padding), plain_quoted(texts.order), texts.token_budget,
      plain_quoted(texts.pooling), texts.normalize);
}

std::string env_of_texts(const schema::TextPipeline& texts) {
  return fmt::format(
      "TOKENIZER_THREADS={}\nMAX_LENGTH={}\nPADDING={}\nORDER={}\nTOKEN_BUDGET={}\nPOOLING={}\n"
      "NORMALIZE={}\n",
      texts.tokenizer_threads, texts.max_length, texts.padding, texts.order, texts.token_budget,
      texts.pooling, texts.normalize);
}

}  // namespace

std::string plain_quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20) continue;
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::string export_head(const Deployment& deployment) {
  std::string model;
  for (const char c : deployment.config.model)
    model += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
  const char* const verified = deployment.verified ? ", verified in fresh processes"
                               : deployment.fresh_visits == 0
                                   ? ", by the search alone, not verified"
                                   : ", not verified";
  std::string text =
      fmt::format("# batchscope tune: {}, {:.4g} samples/s, {} {:.4g} ms a {}{}\n", model,
                  deployment.rate, deployment.latency_of, deployment.latency_s * 1e3,
                  iteration_words(deployment.config), verified);
  const auto& budget = deployment.latency_budget_s;
  if (budget && 2 * deployment.latency_s > *budget) {
    text += fmt::format(
        "# the budget of {:.4g} ms bounds a batch: a request that waits for a running one takes up "
        "to {:.4g} ms\n",
        *budget * 1e3, 2 * deployment.latency_s * 1e3);
  }
  if (const auto missing = schema::not_stated_in_words(deployment.config); !missing.empty()) {
    text += fmt::format("# {}\n", missing);
  }
  return text;
}

std::string yaml(const Deployment& deployment) {
  const schema::RunConfig& config = deployment.config;
  std::string text = export_head(deployment);
  text += fmt::format("model: {}\nengine: {}\nbatch_size: {}\n", plain_quoted(config.model),
                      plain_quoted(config.engine), config.shape.batch_size);
  if (config.shape.seq_len) text += fmt::format("seq_len: {}\n", *config.shape.seq_len);
  if (!config.shape.length_mix.empty()) {
    text += fmt::format("seq_lens: {}\n", plain_quoted(config.shape.length_mix));
  }
  if (schema::states_precision(config)) {
    text += fmt::format("precision: {}\n", schema::to_string(config.precision));
  }
  if (schema::states_device(config)) {
    text += fmt::format("device: {}\n", plain_quoted(config.device));
  }
  if (schema::states_threads(config)) text += fmt::format("threads: {}\n", config.threads);
  text +=
      fmt::format("instances: {}\nmode: {}\n", config.instances, schema::to_string(config.mode));
  if (config.mode == schema::Mode::train) {
    text += fmt::format("accumulation: {}\neffective_batch: {}\ncheckpointing: {}\noptimizer: {}\n",
                        config.accumulation, schema::effective_batch(config), config.checkpointing,
                        plain_quoted(config.optimizer));
  }
  if (config.loader) {
    text += fmt::format("loader_workers: {}\nloader_prefetch: {}\n", config.loader->workers,
                        config.loader->prefetch);
    if (config.loader->prefetch_to_device) text += "loader_prefetch_to_device: true\n";
  }
  if (config.pipeline) text += yaml_of_texts(*config.pipeline);
  if (!config.environment.empty()) text += "environment:\n";
  for (const auto& [name, value] : config.environment) {
    text += fmt::format("  {}: {}\n", name, plain_quoted(value));
  }
  std::vector<int64_t> sizes;
  for (const GoodSize& each : deployment.good_sizes) sizes.push_back(each.size);
  text += fmt::format("good_sizes: [{}]\n", fmt::join(sizes, ", "));
  text += fmt::format(
      "throughput_per_s: {:.6g}\nlatency_ms: {:.6g}\nlatency_of: {}\nverified: {}\n"
      "fresh_visits: {}\n",
      deployment.rate, deployment.latency_s * 1e3, deployment.latency_of, deployment.verified,
      deployment.fresh_visits);
  return text;
}

std::string env(const Deployment& deployment) {
  const schema::RunConfig& config = deployment.config;
  std::string text = export_head(deployment);
  text += fmt::format("BATCH_SIZE={}\nENGINE={}\nINSTANCES={}\nMODE={}\n", config.shape.batch_size,
                      config.engine, config.instances, schema::to_string(config.mode));
  if (schema::states_precision(config)) {
    text += fmt::format("PRECISION={}\n", schema::to_string(config.precision));
  }
  if (schema::states_device(config)) text += fmt::format("DEVICE={}\n", config.device);
  if (schema::states_threads(config)) text += fmt::format("OMP_NUM_THREADS={}\n", config.threads);
  if (config.mode == schema::Mode::train) {
    text += fmt::format("ACCUMULATION={}\nEFFECTIVE_BATCH={}\nCHECKPOINTING={}\nOPTIMIZER={}\n",
                        config.accumulation, schema::effective_batch(config), config.checkpointing,
                        config.optimizer);
  }
  if (config.shape.seq_len) text += fmt::format("SEQ_LEN={}\n", *config.shape.seq_len);
  if (config.loader) {
    text += fmt::format("LOADER_WORKERS={}\nLOADER_PREFETCH={}\n", config.loader->workers,
                        config.loader->prefetch);
    if (config.loader->prefetch_to_device) text += "LOADER_PREFETCH_TO_DEVICE=true\n";
  }
  if (config.pipeline) text += env_of_texts(*config.pipeline);
  for (const auto& [name, value] : config.environment) text += fmt::format("{}={}\n", name, value);
  return text;
}

}  // namespace batchscope::tune
