// Causes in what an interpreter does beside the model's work.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "batchscope/findings/wording.hpp"
#include "cause_rules.hpp"

namespace batchscope::causes {
namespace {

using findings::kRatioUnit;
using findings::Metric;
using findings::milliseconds;
using findings::percent;
using findings::three_digits;
using schema::RunConfig;

constexpr Metric kCollectionShare{"collection_share",
                                  "Share of the timed part spent in Python's garbage collector.",
                                  findings::kRatioUnit, "garbage collection"};
constexpr Metric kCollections{
    "collections", "Collections of Python's garbage collector per iteration.", "an iteration"};

// Below this, taking the collector away could not be told from noise.
constexpr double kPauseWorthAnExperiment = 0.01;

struct Collected {
  double share = 0, an_iteration = 0, longest_ns = 0;
};

std::optional<Collected> collected_at(const SizeFacts& size) {
  double count = 0, ns = 0, longest = 0, iterations = 0, time = 0;
  for (const tables::UsableVisit& usable : size.config->visits) {
    const auto& seen = usable.visit->collections;
    if (!seen || compiles_in_iterations(*usable.visit)) continue;
    count += static_cast<double>(seen->count);
    ns += static_cast<double>(seen->total_ns);
    longest = std::max(longest, static_cast<double>(seen->longest_ns));
    iterations += iterations_of(*usable.visit);
    time += timed_ns(*usable.visit);
  }
  if (time <= 0) return std::nullopt;
  return Collected{ns / time, count / iterations, longest};
}

Signal garbage_collection(const TableFacts& table, std::size_t at) {
  const auto collected = collected_at(table.sizes[at]);
  if (!collected) return {};
  return {collected->share >= kPauseWorthAnExperiment ? std::min(collected->share, 1.0) : 0,
          fmt::format("garbage collection takes {} of the time, {} collections per iteration, "
                      "the longest {}",
                      percent(collected->share), three_digits(collected->an_iteration),
                      milliseconds(collected->longest_ns / 1e6)),
          {evidence_of(kCollectionShare, collected->share),
           evidence_of(kCollections, collected->an_iteration)}};
}

// Nothing is collected, and what is alive is not even looked at by a model that collects by itself.
std::optional<RunConfig> without_collector(const RunConfig& config) {
  if (config.gc == "off") return std::nullopt;
  RunConfig without = config;
  without.gc = "off";
  return without;
}

constexpr std::array kInterpreterRules = {CauseRule{
    .kind = Row(
        "cause.garbage-collection", "Python's garbage collector takes a large share of the time",
        Prose("The collector takes at least {%} of the timed part of the visits of a batch size. "
              "batchscope measures the same size again, in turn, with live objects frozen and the "
              "collector off (gc.freeze, gc.disable). Judged by the mean iteration, because a "
              "collection affects few iterations.",
              kPauseWorthAnExperiment),
        "Call gc.collect() and gc.freeze() after loading the model; or gc.disable(), and "
        "gc.collect() between requests.",
        kCauseSeverity, metrics(&kCollectionShare, &kCollections, &findings::metric::kTimeSaved)),
    .words = "Python's garbage collector takes a large share of the time",
    .part = DiagnosisPart::memory,
    .where = Where::any,
    .signal = garbage_collection,
    .without = without_collector,
    .experiment = "with the garbage collector off",
    .advice = "call gc.collect() and gc.freeze() after loading the model, so that live objects are "
              "not scanned again; or gc.disable(), and gc.collect() between requests",
    .by_mean = true}};

}  // namespace

std::span<const CauseRule> interpreter_rules() {
  return kInterpreterRules;
}

}  // namespace batchscope::causes
