#pragma once

#include <optional>
#include <string>
#include <vector>

#include "batchscope/analyze/analyze.hpp"
#include "batchscope/analyze/training_advice.hpp"
#include "batchscope/findings/catalogue.hpp"
#include "batchscope/findings/summary.hpp"
#include "batchscope/schema/run_config.hpp"

namespace batchscope::analyze {

// What to multiply an optimizer's settings by when a step takes k times the samples.
struct RateRule {
  double learning_rate = 1;
  std::optional<double> one_minus_beta;  // of every beta (RMSProp: alpha)
  std::optional<double> epsilon;
  std::string name;    // "linear", "square root"
  std::string source;  // "Goyal et al. 2017"
};

// sgd: linear. adam, adamw, rmsprop: square root. Nothing is known of others.
std::optional<RateRule> rate_rule(schema::Optimizer optimizer, double k);

// For each recommended way to train that changes the samples of a step: what its optimizer's
// settings are to become. `current`: the batch size now; absent: that of what the recommendation's
// gain is against, whose batches a step are those of now.
std::vector<findings::Finding> learning_rate_findings(const findings::Summary& summary,
                                                      std::optional<int64_t> current);

findings::FindingKind learning_rate_kind();

}  // namespace batchscope::analyze
