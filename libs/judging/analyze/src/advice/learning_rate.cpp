#include "learning_rate.hpp"

#include <fmt/format.h>

#include <cmath>

#include "batchscope/findings/catalogue.hpp"
#include "batchscope/findings/metrics.hpp"
#include "batchscope/findings/wording.hpp"

namespace batchscope::analyze {
namespace {

using Row = findings::KindRow<>;
using findings::doc_link;
using findings::Finding;
using findings::Metric;
using findings::three_digits;

constexpr Metric kEffectiveBatchFactor{
    "effective_batch_factor",
    "Recommended samples per step divided by the current samples per step.", "factor"};
constexpr Metric kLearningRateFactor{"learning_rate_factor",
                                     "Factor by which to multiply the learning rate.", "factor"};
constexpr Metric kOneMinusBetaFactor{
    "one_minus_beta_factor",
    "Factor by which to multiply 1 - beta, for each beta of the optimizer.", "factor"};
constexpr Metric kEpsilonFactor{"epsilon_factor",
                                "Factor by which to multiply epsilon of the optimizer.", "factor"};

constexpr auto kLearningRate = Row(
    "train.learning-rate", "A different effective batch needs a different learning rate",
    "The recommended samples per step are k times the current ones (`--current-batch-size`, else "
    "the baseline of the gain). SGD: the learning rate times k, with a warm-up [Goyal et al. 2017, "
    "arXiv:1706.02677]. Adam, AdamW and RMSProp: the learning rate times the square root of k, 1 - "
    "beta times k, epsilon divided by the square root of k [Malladi et al. 2022, "
    "arXiv:2205.10287]. The rule is untested here: all measurements used the engine's rates.",
    "Set the rates by the rule and watch the loss. Neither rule holds above the gradient noise "
    "scale (`batchscope noise-scale`).",
    "info",
    metrics(&kEffectiveBatchFactor, &kLearningRateFactor, &kOneMinusBetaFactor, &kEpsilonFactor));

// The largest beta in common use that has to stay above 0: from 1 - 0.9 = 0.1 to at most 1.
constexpr double kMostForBetas = 10;

std::string factor(double value) {
  return value >= 1 ? "times " + three_digits(value) : "divided by " + three_digits(1 / value);
}

std::string settings(const RateRule& rule, double k) {
  std::string text = fmt::format("the learning rate {} ({} rule, untested)",
                                 factor(rule.learning_rate), rule.name);
  if (!rule.one_minus_beta)
    return text + (k > 1 ? ", with a warm-up over the first few epochs" : "");
  text +=
      fmt::format(", 1 - beta {}, epsilon {}", factor(*rule.one_minus_beta), factor(*rule.epsilon));
  if (k >= kMostForBetas)
    text += " (too far for a beta of 0.9: increase the batch in smaller steps)";
  return text;
}

void add_factor(Finding& finding, const findings::Metric& metric, std::optional<double> value) {
  if (value) finding.evidence.push_back(evidence_of(metric, *value));
}

Finding finding_of(const schema::RunConfig& config, const RateRule& rule, int64_t from) {
  const int64_t to = schema::effective_batch(config);
  const double k = static_cast<double>(to) / static_cast<double>(from);
  Finding finding;
  finding.id = kLearningRate.id;
  finding.status = findings::Status::measured;
  finding.where = config;
  finding.batch_sizes = {config.shape.batch_size};
  finding.doc = doc_link(kLearningRate.id);
  finding.what = fmt::format("From {} to {} samples per step (k = {}), {} needs {} [{}].", from, to,
                             three_digits(k), config.optimizer, settings(rule, k), rule.source);
  add_factor(finding, kEffectiveBatchFactor, k);
  add_factor(finding, kLearningRateFactor, rule.learning_rate);
  add_factor(finding, kOneMinusBetaFactor, rule.one_minus_beta);
  add_factor(finding, kEpsilonFactor, rule.epsilon);
  finding.fix =
      "Set these rates in your training, and compare the loss after the same number of samples.";
  return finding;
}

}  // namespace

std::optional<RateRule> rate_rule(schema::Optimizer optimizer, double k) {
  switch (optimizer) {
    case schema::Optimizer::sgd:
      return RateRule{k, {}, {}, "linear", "Goyal et al. 2017"};
    case schema::Optimizer::adam:
    case schema::Optimizer::adamw:
    case schema::Optimizer::rmsprop:
      return RateRule{std::sqrt(k), k, 1 / std::sqrt(k), "square root", "Malladi et al. 2022"};
    case schema::Optimizer::other:
      break;
  }
  return std::nullopt;
}

std::optional<Finding> learning_rate_finding(const schema::RunConfig& config, int64_t from) {
  const int64_t to = schema::effective_batch(config);
  if (config.mode != schema::Mode::train || from == to) return std::nullopt;
  const auto rule = rate_rule(schema::OpenEnum<schema::Optimizer>(config.optimizer).value(),
                              static_cast<double>(to) / static_cast<double>(from));
  return rule ? std::optional(finding_of(config, *rule, from)) : std::nullopt;
}

int64_t samples_before(const schema::RunConfig& baseline, std::optional<int64_t> current) {
  return current.value_or(baseline.shape.batch_size) * baseline.accumulation;
}

std::vector<Finding> learning_rate_findings(const findings::Summary& summary,
                                            std::optional<int64_t> current) {
  std::vector<Finding> findings;
  for (const findings::Recommendation& pick : summary.recommendations) {
    if (pick.withdrawn || !pick.feasible) continue;
    // Without a baseline the pick is what its gain would be against.
    const int64_t from = samples_before(pick.baseline.value_or(pick.config), current);
    if (auto finding = learning_rate_finding(pick.config, from)) {
      findings.push_back(*std::move(finding));
    }
  }
  return findings;
}

findings::FindingKind learning_rate_kind() {
  return kLearningRate.kind();
}

}  // namespace batchscope::analyze
