#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/engine/install_paths.hpp"
#include "batchscope/schema/run_config.hpp"
#include "batchscope/schema/search_settings.hpp"

namespace batchscope::tune {

enum class ExportFormat {
  yaml,    // everything, for programs of one's own
  env,     // NAME=value lines, as `docker run --env-file` takes them
  triton,  // config.pbtxt of Triton Inference Server
  tei,     // flags of Hugging Face's text-embeddings-router
};
// Errors: usage.
base::Result<ExportFormat> parse_export_format(std::string_view text);
// Whether a format has words for what the setting does: a server does not train, text-embeddings-
// router serves text encoders alone. What an imported table does not state is no error, and stands
// in the text as a comment. Errors: usage.
base::Result<void> check_export(ExportFormat format, const schema::RunConfig& config);

// A size and the samples a second that it makes, of all instances.
struct GoodSize {
  int64_t size = 0;
  double rate = 0;
};

// A setting to be deployed.
struct Deployment {
  schema::RunConfig config;
  std::vector<GoodSize> good_sizes;  // ascending; may be empty
  double rate = 0;                   // samples a second, of all instances
  double latency_s = 0;              // of a batch
  schema::LatencyStatistic latency_of = schema::LatencyStatistic::p50;  // which statistic that is
  std::optional<double> latency_budget_s{};
  bool verified = false;
  int fresh_visits = 0;               // that rate and latency are of; 0: of the search alone
  std::vector<std::string> inputs{};  // of the model, as the user stated them; empty: not known
  engine::InstallPaths places{};      // of plugins, which say how Triton runs their engines
};

// How long a request may wait for others to join its batch, us: what the budget leaves beside its
// own batch and the one that may be running when it comes. 0 without a budget.
int64_t queue_delay_us(const Deployment& deployment);

// The text of the file, with '\n' at its end. What a format has no word for stands in it as a
// comment.
std::string export_text(ExportFormat format, const Deployment& deployment);

}  // namespace batchscope::tune
