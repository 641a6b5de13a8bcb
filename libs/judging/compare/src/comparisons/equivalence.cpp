#include "batchscope/compare/equivalence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "batchscope/compare/loss_facts.hpp"
#include "batchscope/compare/output_facts.hpp"
#include "batchscope/schema/not_stated.hpp"

namespace batchscope::compare {
namespace {

using schema::Precision;
using schema::RunConfig;

// What an engine says of a loss that is nan or inf, which ends the visit.
constexpr std::string_view kNotFinite = "the loss is ";

std::optional<Mismatch> other_engine(const schema::RunFile& run, const RunConfig& config,
                                     const RunConfig& usual) {
  if (may_compare_engines(run, config, usual)) return std::nullopt;
  RunConfig like = usual;
  like.precision = config.precision;
  like.device = config.device;
  const auto* const outputs = outputs_between(run, config, like);
  if (outputs == nullptr) {
    return Mismatch{findings::LeftOutReason::outputs,
                    fmt::format("the outputs of engine {} and {} were not compared on the same "
                                "input: they may not compute the same results",
                                config.engine, usual.engine)};
  }
  return Mismatch{findings::LeftOutReason::outputs,
                  fmt::format("engine {} does not compute the same as {}: {}", config.engine,
                              usual.engine, output_words(*outputs))};
}

// The outputs of two that are known not to be alike; else null.
const schema::OutputDifference* unlike(const schema::RunFile& run, const RunConfig& config,
                                       const RunConfig& like) {
  const auto* const outputs = outputs_between(run, config, like);
  return outputs == nullptr || outputs->cosine >= kEquivalentCosine ? nullptr : outputs;
}

std::optional<Mismatch> other_outputs(const schema::RunFile& run, const RunConfig& config) {
  RunConfig exact = config;
  exact.precision = Precision::fp32;
  const auto* const outputs = unlike(run, config, exact);
  if (outputs == nullptr) return std::nullopt;
  return Mismatch{findings::LeftOutReason::outputs,
                  fmt::format("{} does not compute the same as fp32 with engine {}: {}",
                              to_string(config.precision), config.engine, output_words(*outputs))};
}

// Losses are not the outputs that devices are compared by.
std::optional<Mismatch> other_device(const schema::RunFile& run, const RunConfig& config,
                                     const RunConfig& usual) {
  if (config.device == usual.device || config.mode == schema::Mode::train) return std::nullopt;
  RunConfig there = config;
  there.device = usual.device;
  const auto* const outputs = unlike(run, config, there);
  if (outputs == nullptr) return std::nullopt;
  return Mismatch{findings::LeftOutReason::outputs,
                  fmt::format("{} does not compute the same as {}: {}", config.device, usual.device,
                              output_words(*outputs))};
}

std::optional<Mismatch> other_compiled(const schema::RunFile& run, const RunConfig& config) {
  if (config.compile != true) return std::nullopt;
  RunConfig eager = config;
  eager.compile = false;
  const auto* const outputs = unlike(run, config, eager);
  if (outputs == nullptr) return std::nullopt;
  return Mismatch{findings::LeftOutReason::outputs,
                  "compiled, it does not compute the same as eager: " + output_words(*outputs)};
}

// The losses of a configuration that every visit has kept, the mean of all; empty: none did.
std::vector<double> losses_of(const schema::RunFile& run, int config) {
  std::vector<double> sum;
  double n = 0;
  for (const schema::Visit& visit : run.visits) {
    if (visit.config != config || visit.losses.empty()) continue;
    if (n == 0) sum.assign(visit.losses.size(), 0);
    sum.resize(std::min(sum.size(), visit.losses.size()));
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += visit.losses[i];
    ++n;
  }
  for (double& each : sum) each /= n;
  return sum;
}

// Trains in the same precision, with the same engine on the same device.
bool trains_so(const RunConfig& config, const RunConfig& like) {
  return config.mode == schema::Mode::train && config.precision == like.precision &&
         config.engine == like.engine && config.device == like.device && config.model == like.model;
}

std::optional<findings::LossPair> losses_beside_fp32(const schema::RunFile& run,
                                                     std::size_t index) {
  RunConfig exact = run.configs[index];
  exact.precision = Precision::fp32;
  const auto found = std::find(run.configs.begin(), run.configs.end(), exact);
  if (found == run.configs.end()) return std::nullopt;
  const auto own = losses_of(run, static_cast<int>(index));
  const auto base = losses_of(run, static_cast<int>(found - run.configs.begin()));
  const std::size_t steps = std::min(own.size(), base.size());
  if (steps == 0) return std::nullopt;
  return findings::LossPair{static_cast<int64_t>(steps), base[steps - 1], own[steps - 1]};
}

std::optional<Mismatch> other_losses(const schema::RunFile& run, const RunConfig& config) {
  for (const schema::Event& event : run.events) {
    if (!event.where.config || event.what.find(kNotFinite) == std::string::npos) continue;
    if (!trains_so(run.configs[static_cast<std::size_t>(*event.where.config)], config)) continue;
    return Mismatch{
        findings::LeftOutReason::loss,
        fmt::format("training in {} failed: {}", to_string(config.precision), event.what)};
  }
  for (std::size_t i = 0; i < run.configs.size(); ++i) {
    if (!trains_so(run.configs[i], config)) continue;
    const auto losses = losses_beside_fp32(run, i);
    if (!losses || apart(*losses) <= kLossApart) continue;
    return Mismatch{
        findings::LeftOutReason::loss,
        fmt::format("{} does not train like fp32 at batch {}: {}", to_string(config.precision),
                    run.configs[i].shape.batch_size, loss_words(*losses))};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Mismatch> find_mismatch(const schema::RunFile& run, const RunConfig& config,
                                      const RunConfig& usual) {
  if (auto other = other_engine(run, config, usual)) return other;
  if (auto other = other_device(run, config, usual)) return other;
  if (auto other = other_compiled(run, config)) return other;
  // What states no precision has no outputs that could be compared.
  if (config.precision == Precision::fp32 || !schema::states_precision(config)) return std::nullopt;
  return config.mode == schema::Mode::train ? other_losses(run, config)
                                            : other_outputs(run, config);
}

}  // namespace batchscope::compare
