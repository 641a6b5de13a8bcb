#include "axis_lines.hpp"

#include <fmt/format.h>

#include <array>
#include <cctype>

#include "batchscope/base/strings.hpp"
#include "batchscope/schema/axes.hpp"
#include "batchscope/schema/not_stated.hpp"
#include "export_texts.hpp"

namespace batchscope::tune {
namespace {

using schema::AxisId;
using schema::RunConfig;

// The lines of an axis in one of the formats; empty where there is nothing to say. An axis without
// a row is said as it is asked for, and stands behind the others.
struct AxisLines {
  AxisId id;
  std::string (*lines)(const RunConfig&);
};

std::string nothing(const RunConfig&) {
  return "";
}

// One line of a file of variables, as shells and systemd read them: quoted where it is no plain
// word. What could be none is left out: a name of other characters, a value of several lines.
std::string env_line(std::string_view name, std::string_view value) {
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
  constexpr std::string_view kDigits = "0123456789";
  const std::string plain = std::string(kLetters) + std::string(kDigits);
  const bool is_name = !name.empty() && kLetters.find(name.front()) != std::string_view::npos &&
                       name.find_first_not_of(plain) == std::string_view::npos;
  if (!is_name) return "# omitted: a variable without a valid name\n";
  if (base::visible(value) != value || value.find_first_of("\n\t") != std::string_view::npos) {
    return fmt::format("# omitted: {} (its value is not one line)\n", name);
  }
  if (value.find_first_not_of(plain + "./:,+-%@=") == std::string_view::npos) {
    return fmt::format("{}={}\n", name, value);
  }
  std::string quoted;
  for (const char c : value) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return fmt::format("{}='{}'\n", name, quoted);
}

std::string yaml_of_lengths(const RunConfig& c) {
  std::string text;
  if (c.shape.seq_len) text += fmt::format("seq_len: {}\n", *c.shape.seq_len);
  if (c.shape.length_mix.empty()) return text;
  return text + fmt::format("seq_lens: {}\n", plain_quoted(c.shape.length_mix));
}

std::string env_of_lengths(const RunConfig& c) {
  return c.shape.seq_len ? fmt::format("SEQ_LEN={}\n", *c.shape.seq_len) : "";
}

std::string yaml_of_loader(const RunConfig& c) {
  if (!c.loader) return "";
  std::string text = fmt::format("loader_workers: {}\nloader_prefetch: {}\n", c.loader->workers,
                                 c.loader->prefetch);
  return c.loader->prefetch_to_device ? text + "loader_prefetch_to_device: true\n" : text;
}

std::string env_of_loader(const RunConfig& c) {
  if (!c.loader) return "";
  std::string text =
      fmt::format("LOADER_WORKERS={}\nLOADER_PREFETCH={}\n", c.loader->workers, c.loader->prefetch);
  return c.loader->prefetch_to_device ? text + "LOADER_PREFETCH_TO_DEVICE=true\n" : text;
}

std::string yaml_of_texts(const RunConfig& c) {
  if (!c.pipeline) return "";
  const schema::TextPipeline& texts = *c.pipeline;
  return fmt::format(
      "tokenizer: {}\ntokenizer_threads: {}\nmax_length: {}\npadding: {}\norder: {}\n"
      "sort_window: {}\ntoken_budget: {}\npooling: {}\nnormalize: {}\n",
      plain_quoted(texts.tokenizer), texts.tokenizer_threads, texts.max_length,
      plain_quoted(texts.padding.text()), plain_quoted(texts.order.text()),
      plain_quoted(schema::sort_window_text(texts)), texts.token_budget,
      plain_quoted(texts.pooling.text()), texts.normalize);
}

std::string env_of_texts(const RunConfig& c) {
  if (!c.pipeline) return "";
  const schema::TextPipeline& texts = *c.pipeline;
  return fmt::format("TOKENIZER_THREADS={}\nMAX_LENGTH={}\n", texts.tokenizer_threads,
                     texts.max_length) +
         env_line("PADDING", texts.padding.text()) + env_line("ORDER", texts.order.text()) +
         env_line("SORT_WINDOW", schema::sort_window_text(texts)) +
         fmt::format("TOKEN_BUDGET={}\n", texts.token_budget) +
         env_line("POOLING", texts.pooling.text()) + fmt::format("NORMALIZE={}\n", texts.normalize);
}

// All of a step of training, which inference has not.
std::string yaml_of_step(const RunConfig& c) {
  if (c.mode != schema::Mode::train) return "";
  return fmt::format("accumulation: {}\neffective_batch: {}\ncheckpointing: {}\noptimizer: {}\n",
                     c.accumulation, schema::effective_batch(c), c.checkpointing,
                     plain_quoted(c.optimizer));
}

std::string env_of_step(const RunConfig& c) {
  if (c.mode != schema::Mode::train) return "";
  return fmt::format("ACCUMULATION={}\nEFFECTIVE_BATCH={}\nCHECKPOINTING={}\n", c.accumulation,
                     schema::effective_batch(c), c.checkpointing) +
         env_line("OPTIMIZER", c.optimizer);
}

std::string yaml_of_environment(const RunConfig& c) {
  std::string text = c.environment.empty() ? "" : "environment:\n";
  for (const auto& [name, value] : c.environment) {
    text += fmt::format("  {}: {}\n", name, plain_quoted(value));
  }
  return text;
}

std::string env_of_environment(const RunConfig& c) {
  std::string text;
  for (const auto& [name, value] : c.environment) text += env_line(name, value);
  return text;
}

std::string yaml_of_precision(const RunConfig& c) {
  if (!schema::states_precision(c)) return "";
  return fmt::format("precision: {}\n", schema::to_string(c.precision));
}

std::string env_of_precision(const RunConfig& c) {
  if (!schema::states_precision(c)) return "";
  return fmt::format("PRECISION={}\n", schema::to_string(c.precision));
}

std::string yaml_of_device(const RunConfig& c) {
  return schema::states_device(c) ? fmt::format("device: {}\n", plain_quoted(c.device)) : "";
}

std::string env_of_device(const RunConfig& c) {
  return schema::states_device(c) ? env_line("DEVICE", c.device) : "";
}

std::string yaml_of_threads(const RunConfig& c) {
  return schema::states_threads(c) ? fmt::format("threads: {}\n", c.threads) : "";
}

std::string env_of_threads(const RunConfig& c) {
  return schema::states_threads(c) ? fmt::format("OMP_NUM_THREADS={}\n", c.threads) : "";
}

constexpr std::array<AxisLines, 15> kYaml = {
    {{AxisId::model,
      [](const RunConfig& c) { return fmt::format("model: {}\n", plain_quoted(c.model)); }},
     {AxisId::engine,
      [](const RunConfig& c) { return fmt::format("engine: {}\n", plain_quoted(c.engine)); }},
     {AxisId::batch_size,
      [](const RunConfig& c) { return fmt::format("batch_size: {}\n", c.shape.batch_size); }},
     {AxisId::seq_len, yaml_of_lengths},
     {AxisId::precision, yaml_of_precision},
     {AxisId::device, yaml_of_device},
     {AxisId::threads, yaml_of_threads},
     {AxisId::instances,
      [](const RunConfig& c) { return fmt::format("instances: {}\n", c.instances); }},
     {AxisId::mode,
      [](const RunConfig& c) { return fmt::format("mode: {}\n", schema::to_string(c.mode)); }},
     {AxisId::accumulation, yaml_of_step},
     {AxisId::checkpointing, nothing},  // of the step
     {AxisId::optimizer, nothing},      // too
     {AxisId::loader, yaml_of_loader},
     {AxisId::pipeline, yaml_of_texts},
     {AxisId::environment, yaml_of_environment}}};

constexpr std::array<AxisLines, 15> kEnv = {
    {{AxisId::model, nothing},  // whoever reads the file knows which
     {AxisId::batch_size,
      [](const RunConfig& c) { return fmt::format("BATCH_SIZE={}\n", c.shape.batch_size); }},
     {AxisId::engine, [](const RunConfig& c) { return env_line("ENGINE", c.engine); }},
     {AxisId::instances,
      [](const RunConfig& c) { return fmt::format("INSTANCES={}\n", c.instances); }},
     {AxisId::mode,
      [](const RunConfig& c) { return fmt::format("MODE={}\n", schema::to_string(c.mode)); }},
     {AxisId::precision, env_of_precision},
     {AxisId::device, env_of_device},
     {AxisId::threads, env_of_threads},
     {AxisId::accumulation, env_of_step},
     {AxisId::checkpointing, nothing},  // of the step
     {AxisId::optimizer, nothing},      // too
     {AxisId::seq_len, env_of_lengths},
     {AxisId::loader, env_of_loader},
     {AxisId::pipeline, env_of_texts},
     {AxisId::environment, env_of_environment}}};

std::string plain_yaml(std::string_view axis, const std::string& value) {
  return fmt::format("{}: {}\n", axis, plain_quoted(value));
}

std::string plain_env(std::string_view axis, const std::string& value) {
  std::string name(axis);
  for (char& c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return env_line(name, value);
}

template <class Table>
std::string text_of(const Table& table,
                    std::string (*line)(std::string_view axis, const std::string& value),
                    const RunConfig& config) {
  std::string text;
  for (const AxisLines& axis : table) text += axis.lines(config);
  for (const schema::Axis& axis : schema::axes()) {
    if (schema::special(table, axis.id) != nullptr) continue;
    for (const schema::Argument& each : axis.arguments(config)) {
      text += line(axis.name, each.value);
    }
  }
  return text;
}

}  // namespace

std::string yaml_of(const RunConfig& config) {
  return text_of(kYaml, plain_yaml, config);
}

std::string env_of(const RunConfig& config) {
  return text_of(kEnv, plain_env, config);
}

}  // namespace batchscope::tune
