#include "bottlenecks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "batchscope/findings/catalogue.hpp"
#include "batchscope/findings/metrics.hpp"
#include "batchscope/findings/wording.hpp"
#include "batchscope/schema/device_name.hpp"
#include "batchscope/schema/phases.hpp"
#include "batchscope/schema/visit.hpp"

namespace batchscope::causes {
namespace {

using findings::doc_link;
using findings::percent;
using findings::Severity;
using tables::UsableVisit;

struct Bottleneck {
  std::string_view id;
  std::string_view words;  // "copies between host and device take {} of an iteration"
  findings::Metric metric;
  std::string_view fix;
  double medium = 0, high = 0;  // shares from which it is so severe
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

constexpr std::array kBottlenecks = {
    Bottleneck{"bottleneck.recompilation",
               "torch.compile compiles in the iterations: {} of their time",
               findings::metric::kRecompilationShare,
               "find what changes between calls with TORCH_LOGS=recompiles; keep it out of the "
               "compiled code, mark the dimension with torch._dynamo.mark_dynamic, compile with "
               "dynamic=True, or use fewer shapes and warm up with each (--warmup)",
               0.01, 0.10, recompiling_share, false},
    Bottleneck{findings::kLoading, "waiting for the loader takes {} of an iteration",
               findings::metric::kLoadingShare,
               "load ahead with more workers (--loader-workers), and keep more batches ready "
               "(--prefetch); if all cores are busy, decode less: use smaller files, or decode "
               "them once in advance",
               0.50, 0.75, load_share, false},
    Bottleneck{"bottleneck.tokenization", "tokenization takes {} of an iteration",
               findings::metric::kTokenizationShare,
               "give the tokenizer more threads (--tokenizer-threads), or tokenize the next batch "
               "while the model runs",
               0.20, 0.40, tokenize_share, false},
    Bottleneck{
        "bottleneck.transfers", "copies between host and device take {} of an iteration",
        findings::metric::kTransferShare,
        "pin the host's memory and overlap the copies with computing (non_blocking=True, a second "
        "stream; in training on files, --prefetch-to-device on), or keep the data on the device",
        0.25, 0.50, transfer_share},
    Bottleneck{"bottleneck.device-idle", "the device is idle for {} of the traced time",
               findings::metric::kDeviceIdleShare,
               "fewer, larger kernels (torch.compile, CUDA graphs), or a larger batch", 0.30, 0.50,
               idle_share, true, "fewer, larger kernels (torch.compile), or a larger batch"},
    Bottleneck{"bottleneck.synchronisation",
               "waiting for the device inside the model takes {} of the traced time",
               findings::metric::kSynchronisationShare,
               "remove .item(), .cpu() and prints from the model's forward pass", 0.10, 0.20,
               sync_share}};

findings::Finding finding_of(const Bottleneck& kind, const SizeFacts& size, double share) {
  findings::Finding finding;
  finding.id = kind.id;
  finding.doc = doc_link(kind.id);
  finding.status = findings::Status::measured;
  finding.severity = share > kind.high ? Severity::high : Severity::medium;
  finding.where = size.config->config;
  finding.batch_sizes = {size.batch_size()};
  finding.what = fmt::format("At batch {} {}.", size.batch_size(),
                             fmt::format(fmt::runtime(kind.words), percent(share)));
  finding.evidence = {evidence_of(kind.metric, share)};
  const bool beside_cuda =
      !kind.fix_beside_cuda.empty() && !schema::is_cuda(size.config->config.device);
  finding.fix = beside_cuda ? kind.fix_beside_cuda : kind.fix;
  return finding;
}

}  // namespace

std::vector<findings::Finding> bottlenecks_of(const TableFacts& table) {
  std::vector<findings::Finding> findings;
  const bool device = schema::is_accelerator(table.group->key.device);
  for (const Bottleneck& kind : kBottlenecks) {
    if (kind.of_a_device && !device) continue;
    const SizeFacts* worst = nullptr;
    double most = kind.medium;
    for (const SizeFacts& size : table.sizes) {
      const auto share = kind.share(size);
      if (!share || *share <= most) continue;
      most = *share;
      worst = &size;
    }
    if (worst != nullptr) findings.push_back(finding_of(kind, *worst, most));
  }
  return findings;
}

}  // namespace batchscope::causes
