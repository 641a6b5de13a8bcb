// Causes in which kernels the processor's libraries choose and keep.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "batchscope/findings/wording.hpp"
#include "cause_rules.hpp"

namespace batchscope::causes {
namespace {

using findings::Metric;
using findings::percent;
using findings::three_digits;
using schema::Diagnosis;
using schema::RunConfig;

constexpr Metric kCreatedPrimitives{"created_primitives", "Kernels that oneDNN creates again.",
                                    "an iteration"};
constexpr Metric kCreationShare{
    "creation_share", "Share of an undisturbed iteration spent creating oneDNN's kernels again."};
constexpr Metric kReorderShare{"reorder_share",
                               "Share of an undisturbed iteration spent reordering data."};
constexpr Metric kPathShare{
    "path_share",
    "Share of an undisturbed iteration spent in the main implementation of the matrix products."};

double sum_ns(const std::vector<schema::Primitive>& primitives, std::string_view kind) {
  double sum = 0;
  for (const schema::Primitive& each : primitives) {
    if (kind.empty() || each.kind == kind) sum += static_cast<double>(each.total_ns);
  }
  return sum;
}

// Share of an iteration, as the undisturbed part of the visit took it: the log itself slows. Shares
// of the traced time (device_rules.cpp) are of something else.
double share_of_time(const SizeFacts& size, double ns) {
  const double iterations = static_cast<double>(size.diagnosis()->logged_iterations);
  return std::min(ns / (iterations * mean_iteration_ns(*size.diagnostic)), 1.0);
}

Signal primitives_made_anew(const TableFacts& table, std::size_t at) {
  const Diagnosis* seen = table.sizes[at].diagnosis();
  if (seen == nullptr || seen->logged_iterations == 0) return {};
  double created = 0, creation_ns = 0;
  for (const schema::Primitive& each : seen->primitives) {
    created += static_cast<double>(each.created);
    creation_ns += static_cast<double>(each.creation_ns);
  }
  const double an_iteration = created / static_cast<double>(seen->logged_iterations);
  const double share = share_of_time(table.sizes[at], creation_ns);
  Signal signal;
  signal.words = fmt::format("{} kernels per iteration, {} of an undisturbed iteration",
                             three_digits(an_iteration), percent(share));
  signal.evidence = {evidence_of(kCreatedPrimitives, an_iteration),
                     evidence_of(kCreationShare, share)};
  constexpr double kNotAChance = 0.5;  // one in the logged iterations is no steady state
  if (an_iteration >= kNotAChance) signal.strength = std::max(share, 0.01);
  return signal;
}

std::optional<RunConfig> with_larger_cache(const RunConfig& config) {
  return under(config, {{"ONEDNN_PRIMITIVE_CACHE_CAPACITY", "4096"}});
}

constexpr double kMuchReordering = 0.1;

Signal reordering(const TableFacts& table, std::size_t at) {
  const Diagnosis* seen = table.sizes[at].diagnosis();
  if (seen == nullptr || seen->primitives.empty()) return {};
  const double share = share_of_time(table.sizes[at], sum_ns(seen->primitives, "reorder"));
  return {share >= kMuchReordering ? share : 0,
          fmt::format("{} of an undisturbed iteration", percent(share)),
          {evidence_of(kReorderShare, share)}};
}

// What most of the time of the multiplications went to; empty where there are none.
const schema::Primitive* main_path(const Diagnosis& seen) {
  static const std::set<std::string_view> kComputing = {"matmul", "inner_product", "convolution"};
  const schema::Primitive* most = nullptr;
  for (const schema::Primitive& each : seen.primitives) {
    if (!kComputing.contains(each.kind)) continue;
    if (most == nullptr || each.total_ns > most->total_ns) most = &each;
  }
  return most;
}

// Another path alone is no cause: most often it is the better one.
Signal path_switch(const TableFacts& table, std::size_t at) {
  const Diagnosis* seen = table.sizes[at].diagnosis();
  const schema::Primitive* here = seen == nullptr ? nullptr : main_path(*seen);
  if (here == nullptr) return {};
  Signal signal;
  signal.words = fmt::format("mostly {}", here->implementation);
  const SizeFacts* before = table.diagnosed_before(at);
  const schema::Primitive* there = before == nullptr ? nullptr : main_path(*before->diagnosis());
  if (there == nullptr || there->implementation == here->implementation) return signal;
  const double share = share_of_time(table.sizes[at], static_cast<double>(here->total_ns));
  signal.evidence = {evidence_of(kPathShare, share)};
  if (table.sizes[at].odd) signal.strength = share;
  return signal;
}

constexpr std::array kKernelRules = {
    CauseRule{
        Row("cause.primitive-cache", "oneDNN recreates its kernels in every iteration",
            "oneDNN's log shows new kernels after the warm-up: at least one in two iterations. "
            "batchscope measures the size again with a cache of 4096 kernels. Only oneDNN "
            "operations are "
            "visible (in torch: low precision and convolutions; fp32 linear layers use MKL).",
            "Do not set ONEDNN_PRIMITIVE_CACHE_CAPACITY below its default of 1024; raise it where "
            "shapes vary a lot.",
            kCauseSeverity,
            metrics(&kCreatedPrimitives, &kCreationShare, &findings::metric::kTimeSaved)),
        "oneDNN recreates its kernels in every iteration because its cache is too small",
        DiagnosisPart::kernels, Where::cpu, primitives_made_anew, with_larger_cache,
        "with a cache of 4096 kernels"},
    CauseRule{
        Row("cause.gemm-path", "Matrix products take a different path",
            Prose("oneDNN's matrix products mostly use another implementation than at the next "
                  "smaller size, and a sample costs over {%} more. batchscope measures both sizes "
                  "again "
                  "with AVX2 only; the test is whether this saves more than at the neighbour.",
                  kWorthACause),
            "Pad or split to a batch size on the faster path.", kCauseSeverity,
            metrics(&kPathShare, &findings::metric::kTimeSaved,
                    &findings::metric::kTimeSavedBeyondNeighbour)),
        "matrix products take a different path than at smaller batches", DiagnosisPart::kernels,
        Where::cpu, path_switch, with_older_instructions, "with AVX2 at all sizes",
        "choose a batch size on the faster path; pad or split to it", Judged::beyond_neighbour},
    CauseRule{Row("cause.reorder", "oneDNN reorders data in every iteration",
                  "Reorders take at least 10 % of an iteration after the warm-up, usually because "
                  "weights are not packed for the kernel. No experiment tests this cause, so it is "
                  "only suspected.",
                  "Freeze the model before exporting it; the engine then packs its weights once.",
                  kCauseSeverity, metrics(&kReorderShare)),
              "oneDNN reorders data in every iteration",
              DiagnosisPart::kernels,
              Where::cpu,
              reordering,
              nullptr,
              {},
              "pack the weights once: export the model with its weights frozen "
              "(torch.jit.freeze, or AOTInductor with freezing)"}};

}  // namespace

std::span<const CauseRule> kernel_rules() {
  return kKernelRules;
}

}  // namespace batchscope::causes
