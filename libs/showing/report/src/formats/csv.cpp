#include "batchscope/document/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <vector>

#include "batchscope/report/csv.hpp"
#include "batchscope/schema/not_stated.hpp"
#include "config_columns.hpp"

namespace batchscope::report {
namespace {

using findings::Estimate;

// Builds one record, field by field.
class Record {
 public:
  void add_text(std::string_view text) { add(document::csv_text(text)); }
  void add_count(int64_t count) { add(fmt::format("{}", count)); }
  // fmt writes the shortest decimal that reads back to the same double.
  void add_number(std::optional<double> number) {
    add(number && std::isfinite(*number) ? fmt::format("{}", *number) : std::string());
  }
  void add_estimate(const std::optional<Estimate>& estimate) {
    const bool interval = estimate && estimate->ci;
    add_number(estimate ? std::optional(estimate->value) : std::nullopt);
    add_number(interval ? std::optional(estimate->ci->low) : std::nullopt);
    add_number(interval ? std::optional(estimate->ci->high) : std::nullopt);
  }
  std::string line() const { return line_ + "\n"; }

 private:
  void add(const std::string& field) {
    if (!first_) line_ += ',';
    first_ = false;
    line_ += field;
  }

  std::string line_;
  bool first_ = true;
};

constexpr std::string_view kHeader =
    "model,batch_size,seq_len,precision,device,threads,instances,mode,engine,"
    "time_ms,time_ci_low_ms,time_ci_high_ms,"
    "per_sample_ms,per_sample_ci_low_ms,per_sample_ci_high_ms,"
    "expected_ms,efficiency,efficiency_ci_low,efficiency_ci_high,"
    "relative_slowdown,jump_ratio,jump_ci_low,jump_ci_high,"
    "throughput_per_s,throughput_ci_low,throughput_ci_high,n,n_iterations,verdict";

// Of variable-length input alone, so that every other table keeps its columns.
constexpr std::string_view kTokenHeader =
    ",length_mix,real_tokens,padded_tokens,padding,"
    "real_tokens_per_s,real_tokens_ci_low,real_tokens_ci_high";

void add_tokens(const findings::ConfigRow& row, Record& record) {
  const auto number = [&](double findings::TokenFacts::*field) {
    record.add_number(row.tokens ? std::optional((*row.tokens).*field) : std::nullopt);
  };
  record.add_text(row.config.shape.length_mix);
  number(&findings::TokenFacts::real);
  number(&findings::TokenFacts::padded);
  number(&findings::TokenFacts::padding);
  record.add_estimate(row.tokens ? std::optional(row.tokens->real_per_s) : std::nullopt);
}

std::vector<const findings::ConfigRow*> rows_of(const findings::Summary& summary) {
  std::vector<const findings::ConfigRow*> rows;
  for (const findings::Group& group : summary.groups) {
    for (const findings::ConfigRow& row : group.rows) rows.push_back(&row);
  }
  return rows;
}

bool some_row(const findings::Summary& summary, bool (*is)(const findings::ConfigRow&)) {
  const auto rows = rows_of(summary);
  return std::any_of(rows.begin(), rows.end(), [&](const auto* row) { return is(*row); });
}

// Of texts in and vectors out alone.
constexpr std::string_view kPipelineHeader =
    ",texts,tokenizer_threads,padding_to,order,token_budget,pooling";

void add_pipeline(const schema::RunConfig& config, Record& record) {
  const schema::TextPipeline pipeline = config.pipeline.value_or(schema::TextPipeline{});
  record.add_text(pipeline.texts);
  record.add_count(pipeline.tokenizer_threads);
  record.add_text(pipeline.padding.text());
  record.add_text(pipeline.order.text());
  record.add_count(pipeline.token_budget);
  record.add_text(pipeline.pooling.text());
}

// Of gradient accumulation and of a loader alone.
constexpr std::string_view kTrainingHeader =
    ",accumulation,effective_batch,loader,loader_workers,prefetch,prefetch_to_device";

void add_training(const schema::RunConfig& config, Record& record) {
  record.add_count(config.accumulation);
  record.add_count(schema::effective_batch(config));
  const schema::Loader loader = config.loader.value_or(schema::Loader{});
  record.add_text(loader.source);
  record.add_count(loader.workers);
  record.add_count(loader.prefetch);
  record.add_text(loader.prefetch_to_device ? "on" : "off");
}

bool has_training(const findings::ConfigRow& row) {
  return row.config.accumulation != 1 || row.config.loader.has_value();
}

// Where the mean iteration is another figure than the typical one.
constexpr std::string_view kMeanHeader = ",mean_ms,mean_ci_low_ms,mean_ci_high_ms,slow_share";

struct Extra {
  bool tokens = false, pipeline = false, training = false, means = false;
};

std::set<std::string_view> reported_by(const Extra& extra) {
  std::set<std::string_view> reported = {"engine", "model",   "batch_size", "seq_len", "precision",
                                         "device", "threads", "instances",  "mode"};
  if (extra.tokens) reported.insert("length_mix");
  if (extra.pipeline) {
    reported.insert({"pipeline_texts", "pipeline_tokenizer_threads", "pipeline_padding",
                     "pipeline_order", "pipeline_token_budget", "pipeline_pooling"});
  }
  if (extra.training) {
    reported.insert({"accumulation", "loader_source", "loader_workers", "loader_prefetch",
                     "loader_prefetch_to_device"});
  }
  return reported;
}

std::string record(const findings::ConfigRow& row, const Extra& extra,
                   const ConfigColumns& columns) {
  const schema::RunConfig& config = row.config;
  Record record;
  record.add_text(config.model);
  record.add_count(config.shape.batch_size);
  if (config.shape.seq_len) {
    record.add_count(*config.shape.seq_len);
  } else {
    record.add_text("");
  }
  record.add_text(schema::states_precision(config) ? to_string(config.precision) : "");
  record.add_text(config.device);
  schema::states_threads(config) ? record.add_count(config.threads) : record.add_text("");
  record.add_count(config.instances);
  record.add_text(to_string(config.mode));
  record.add_text(config.engine);
  record.add_estimate(row.time_ms);
  record.add_estimate(row.per_sample_ms);
  record.add_number(row.expected_ms);
  record.add_estimate(row.efficiency);
  record.add_number(row.relative_slowdown ? std::optional(row.relative_slowdown->value)
                                          : std::nullopt);
  record.add_estimate(row.jump);
  record.add_estimate(row.throughput_per_s);
  record.add_count(row.n);
  record.add_count(row.n_iterations);
  record.add_text(to_string(row.verdict));
  if (extra.tokens) add_tokens(row, record);
  if (extra.pipeline) add_pipeline(config, record);
  if (extra.training) add_training(config, record);
  for (const std::string& cell : columns.cells(config)) record.add_text(cell);
  if (extra.means) {
    record.add_estimate(row.mean_ms);
    record.add_number(row.slow_share);
  }
  return record.line();
}

}  // namespace

std::string csv(const findings::Summary& summary) {
  const Extra extra{some_row(summary, [](const auto& row) { return row.tokens.has_value(); }),
                    some_row(summary, [](const auto& r) { return r.config.pipeline.has_value(); }),
                    some_row(summary, has_training), some_row(summary, findings::mean_differs)};
  std::vector<schema::RunConfig> configs;
  for (const findings::ConfigRow* row : rows_of(summary)) configs.push_back(row->config);
  const ConfigColumns columns(configs, reported_by(extra));
  std::string out(kHeader);
  if (extra.tokens) out += kTokenHeader;
  if (extra.pipeline) out += kPipelineHeader;
  if (extra.training) out += kTrainingHeader;
  for (const std::string& name : columns.names()) out += "," + name;
  if (extra.means) out += kMeanHeader;
  out += "\n";
  for (const findings::ConfigRow* row : rows_of(summary)) out += record(*row, extra, columns);
  return out;
}

}  // namespace batchscope::report
