#include "bottlenecks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/findings/wording.hpp"
#include "batchscope/schema/device_name.hpp"
#include "batchscope/schema/phases.hpp"
#include "batchscope/schema/visit.hpp"

namespace batchscope::causes {
namespace {

using findings::doc_link;
using findings::kRatioUnit;
using findings::Metric;
using findings::percent;
using findings::Severity;
using tables::UsableVisit;

struct Bottleneck {
  Row kind;                // its number is the share, those of its severity are the limits
  std::string_view words;  // "copies between host and device take {} of an iteration"
  std::string_view fix;
  std::optional<double> (*share)(const SizeFacts&) = nullptr;
  bool of_a_device = true;  // else of the host, with a device or without
  // On an accelerator that is not CUDA's, where it has to be another.
  std::string_view fix_beside_cuda = {};
};

// Share of the iterations of all visits that `taken` of each takes, ns.
template <class Taken>
std::optional<double> share_of_visits(const SizeFacts& size, const Taken& taken) {
  double sum = 0, time = 0;
  for (const UsableVisit& usable : size.config->visits) {
    sum += taken(*usable.visit);
    time += timed_ns(*usable.visit);
  }
  if (time <= 0) return std::nullopt;
  return sum / time;
}

// The same of `part` of their phases.
template <class Part>
std::optional<double> share_of_time(const SizeFacts& size, const Part& part) {
  return share_of_visits(size, [&](const schema::Visit& visit) {
    double taken = 0;
    for (const schema::Phase& phase : visit.phases) taken += part(phase);
    return taken;
  });
}

bool is_transfer(const schema::Phase& phase) {
  return phase.name == schema::phases::kToDevice || phase.name == schema::phases::kToHost;
}

std::optional<double> transfer_share(const SizeFacts& size) {
  return share_of_time(size, [](const schema::Phase& phase) {
    return is_transfer(phase) && phase.device_ns ? static_cast<double>(*phase.device_ns) : 0;
  });
}

std::optional<double> tokenize_share(const SizeFacts& size) {
  return share_of_time(size, [](const schema::Phase& phase) {
    return phase.name == schema::phases::kTokenize ? static_cast<double>(phase.host_ns) : 0;
  });
}

// What a device computes meanwhile hides the wait: its own time tells what is left of it.
std::optional<double> load_share(const SizeFacts& size) {
  return share_of_time(size, [](const schema::Phase& phase) {
    const int64_t ns = phase.device_ns.value_or(phase.host_ns);
    return phase.name == schema::phases::kLoad ? static_cast<double>(ns) : 0;
  });
}

std::optional<double> idle_share(const SizeFacts& size) {
  const auto busy = size.device_busy_share();
  if (!busy) return std::nullopt;
  return 1 - *busy;
}

// What the compiler did in timed iterations, which it is not called for.
std::optional<double> recompiling_share(const SizeFacts& size) {
  const auto share = share_of_visits(size, [](const schema::Visit& visit) {
    return visit.compilation ? static_cast<double>(visit.compilation->recompiled_timed_ns) : 0.0;
  });
  return share ? std::optional(std::min(*share, 1.0)) : std::nullopt;
}

// Calls of the driver (Level Zero's, CUDA's) are made by those of the runtime: with them a wait
// would count twice.
bool is_of_driver(std::string_view name) {
  return name.starts_with("ze") || (name.starts_with("cu") && !name.starts_with("cuda"));
}

// cudaStreamSynchronize, hipDeviceSynchronize and what other runtimes call so, and a few that do it
// under another name.
bool waits_for_device(const schema::Operation& operation) {
  constexpr std::array<std::string_view, 4> kOthers = {"cudaMemcpy", "hipMemcpy", "urQueueFinish",
                                                       "urEventWait"};
  if (operation.kind != schema::OperationKind::runtime || is_of_driver(operation.name))
    return false;
  return operation.name.find("Synchronize") != std::string::npos ||
         std::find(kOthers.begin(), kOthers.end(), operation.name) != kOthers.end();
}

bool has_scaler(const schema::RunConfig& config) {
  return config.mode == schema::Mode::train && config.precision == schema::Precision::fp16;
}

// The waits of the loop itself, in `iterations`: one at the end of each, or of the first and the
// last where they are waited for together; and in fp16 one a step, for the scaler's check.
double waits_of_the_loop(const SizeFacts& size, double iterations) {
  const double at_the_end = size.waits_each ? iterations : std::min(iterations, 2.0);
  return at_the_end + (has_scaler(size.config->config) ? iterations : 0);
}

// Every further wait is the model's own.
std::optional<double> sync_share(const SizeFacts& size) {
  const schema::Diagnosis* seen = size.traced();
  if (seen == nullptr) return std::nullopt;
  double calls = 0, ns = 0;
  for (const schema::Operation& each : seen->operations) {
    if (!waits_for_device(each)) continue;
    calls += static_cast<double>(each.calls);
    ns += static_cast<double>(each.self_ns);
  }
  const double own = waits_of_the_loop(size, static_cast<double>(seen->traced_iterations));
  if (calls <= own) return 0;
  return ns * (calls - own) / calls / static_cast<double>(seen->traced_ns);
}

constexpr Metric kRecompilationShare{"recompilation_share",
                                     "Share of the timed part spent recompiling the model.",
                                     findings::kRatioUnit, "recompilation"};
constexpr Metric kLoadingShare{"loading_share",
                               "Share of an iteration spent waiting for the loader."};
constexpr Metric kTokenizationShare{"tokenization_share",
                                    "Share of an iteration spent on tokenization."};
constexpr Metric kTransferShare{"transfer_share",
                                "Share of an iteration spent copying between host and device."};
constexpr Metric kDeviceIdleShare{"device_idle_share",
                                  "Share of the traced time without a kernel or a copy."};
constexpr Metric kSynchronisationShare{
    "synchronisation_share",
    "Share of the traced time spent waiting for the device inside the model."};

constexpr double kRecompiled = 0.01, kMuchRecompiled = 0.10, kIdles = 0.30;

constexpr std::array kBottlenecks = {
    Bottleneck{
        Row("bottleneck.recompilation", "The model recompiles while it runs",
            Prose("torch.compile compiled graphs in timed iterations: at least {%} of the time "
                  "({%}: high). The compiler itself counts this, also where the model calls it. "
                  "The memory use of such iterations is no evidence of another cause.",
                  kRecompiled, kMuchRecompiled),
            "Find what changes between calls with TORCH_LOGS=recompiles. Keep it out of the "
            "compiled code, mark the dimension as dynamic (mark_dynamic, dynamic=True), or use "
            "fewer shapes and warm up with each.",
            Prose("medium from {%} of the time, high from {%}", kRecompiled, kMuchRecompiled),
            metrics(&kRecompilationShare)),
        "torch.compile recompiles for {} of the time",
        "find what changes between calls with TORCH_LOGS=recompiles; keep it out of the "
        "compiled code, mark the dimension with torch._dynamo.mark_dynamic, compile with "
        "dynamic=True, or use fewer shapes and warm up with each (--warmup)",
        recompiling_share, false},
    Bottleneck{
        Row(findings::kLoading, "Training waits for its data",
            "Waiting for the loader (the phase `load` of `--loader`) takes more than half "
            "of an iteration, worst at this size. The finding is confirmed if the run proves "
            "another number of workers faster.",
            "Use more workers, keep more batches ready, or decode less.",
            Prose("medium above {%}, high above {%} of an iteration", 0.50, 0.75),
            metrics(&kLoadingShare)),
        "waiting for the loader takes {} of an iteration",
        "use more workers (--loader SOURCE,workers=N) and keep more batches ready (prefetch=N). If "
        "all cores are busy, decode less: use smaller files, or decode once in advance",
        load_share, false},
    Bottleneck{Row("bottleneck.tokenization", "Tokenization takes a large share of the time",
                   "In a text pipeline, the phase `tokenize` takes more than 20 % of the mean "
                   "iteration (host's clock). Measured, not tested.",
                   "Give the tokenizer more threads (`--tokenizer-threads` measures them), or "
                   "tokenize the next batch while the model runs on this one.",
                   Prose("medium above {%}, high above {%} of an iteration", 0.20, 0.40),
                   metrics(&kTokenizationShare)),
               "tokenization takes {} of an iteration",
               "give the tokenizer more threads (--tokenizer-threads), or tokenize the next batch "
               "while the model runs",
               tokenize_share, false},
    Bottleneck{
        Row("bottleneck.transfers", "Copies take a large share of the time",
            "Copies between host and device take more than 25 % of an iteration (events on the "
            "device's stream). Measured, not tested.",
            "Pin the host's memory, overlap copies with computing, or keep the data on the device.",
            Prose("medium above {%}, high above {%} of an iteration", 0.25, 0.50),
            metrics(&kTransferShare)),
        "copies between host and device take {} of an iteration",
        "pin the host's memory and overlap the copies with computing (non_blocking=True, a second "
        "stream; in training on files, --loader SOURCE,to-device=on), or keep the data on the "
        "device",
        transfer_share},
    Bottleneck{Row("bottleneck.device-idle", "The device idles",
                   Prose("Under the tracer the device runs no kernel and no copy for more than {%} "
                         "of the time. A tracer slows the host, so this share is too high: compare "
                         "it with the shares of the phases.",
                         kIdles),
                   "Issue fewer, larger kernels (on CUDA, as graphs), or use a larger batch.",
                   Prose("medium above {%}, high above {%} of the traced time", kIdles, 0.50),
                   metrics(&kDeviceIdleShare)),
               "the device is idle for {} of the traced time",
               "launch fewer, larger kernels (torch.compile, CUDA graphs), or use a larger batch",
               idle_share, true,
               "launch fewer, larger kernels (torch.compile), or use a larger batch"},
    Bottleneck{Row("bottleneck.synchronisation", "The model waits for the device",
                   "Runtime calls that wait for the device (...Synchronize and a few more), except "
                   "the one that ends each iteration, take more than 10 % of the traced time.",
                   "Remove code in the forward pass that reads values back to the host.",
                   Prose("medium above {%}, high above {%} of the traced time", 0.10, 0.20),
                   metrics(&kSynchronisationShare)),
               "waiting for the device inside the model takes {} of the traced time",
               "remove .item(), .cpu() and prints from the model's forward pass", sync_share}};

findings::Finding finding_of(const Bottleneck& row, const SizeFacts& size, double share) {
  findings::Finding finding;
  finding.id = row.kind.id;
  finding.doc = doc_link(row.kind.id);
  finding.status = findings::Status::measured;
  finding.severity = share > row.kind.severity.number(1) ? Severity::high : Severity::medium;
  finding.where = size.config->config;
  finding.batch_sizes = {size.batch_size()};
  finding.what = fmt::format("At batch {} {}.", size.batch_size(),
                             fmt::format(fmt::runtime(row.words), percent(share)));
  finding.evidence = {evidence_of(*row.kind.evidence.front(), share)};
  const bool beside_cuda =
      !row.fix_beside_cuda.empty() && !schema::is_cuda(size.config->config.device);
  finding.fix = beside_cuda ? row.fix_beside_cuda : row.fix;
  return finding;
}

}  // namespace

findings::Catalogue bottleneck_kinds() {
  return base::mapped(kBottlenecks, [](const Bottleneck& row) { return row.kind.kind(); });
}

std::vector<findings::Finding> bottlenecks_of(const TableFacts& table) {
  std::vector<findings::Finding> findings;
  const bool device = schema::is_accelerator(table.group->key.device);
  for (const Bottleneck& row : kBottlenecks) {
    if (row.of_a_device && !device) continue;
    const SizeFacts* worst = nullptr;
    double most = row.kind.severity.number(0);
    for (const SizeFacts& size : table.sizes) {
      const auto share = row.share(size);
      if (!share || *share <= most) continue;
      most = *share;
      worst = &size;
    }
    if (worst != nullptr) findings.push_back(finding_of(row, *worst, most));
  }
  return findings;
}

}  // namespace batchscope::causes
