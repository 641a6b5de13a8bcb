#include "loader_findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/findings/wording.hpp"
#include "worker_counts.hpp"

namespace batchscope::analyze {
namespace {

using findings::Finding;
using findings::LoaderRow;
using findings::Metric;
using findings::milliseconds;
using findings::percent;
using findings::three_digits;
using Prose = findings::Prose<findings::Nothing>;
using Row = findings::KindRow<>;

constexpr double kManyBytes = 16 * 1024.0 * 1024.0;  // of a worker

// Of an iteration: the wait beyond what handing over takes.
double wait_share(const LoaderRow& row) {
  const double waits_ms = std::max(0.0, row.wait_ms - row.handover_ms.value_or(0));
  return row.iteration_ms.value > 0 ? std::min(1.0, waits_ms / row.iteration_ms.value) : 0;
}

// Collating as a part of the time that the loop waits.
double collate_share(const LoaderRow& row) {
  const double made = row.fetch_ms + row.collate_ms;
  return made > 0 ? wait_share(row) * row.collate_ms / made : 0;
}

double grown_bytes(const LoaderRow& row) {
  if (!row.begun || !row.ended) return 0;
  return static_cast<double>(row.ended->private_dirty_bytes - row.begun->private_dirty_bytes);
}

// How much a worker grew over what it began with; 0 where that is little memory.
double growth(const LoaderRow& row) {
  const double grown = grown_bytes(row);
  if (grown < kManyBytes) return 0;
  return grown / std::max(static_cast<double>(row.begun->private_dirty_bytes), kManyBytes);
}

double saved_by_pinning(const LoaderRow& row) {
  if (!row.copies || row.config.loader->pinned) return 0;
  const double saved = static_cast<double>(row.copies->pageable_ns - row.copies->pinned_ns) * 1e-6;
  return saved / row.iteration_ms.value;
}

// Of an epoch with its beginning.
double startup_share(const LoaderRow& row) {
  if (row.config.loader->workers == 0 || row.samples.value_or(0) <= 0) return 0;
  const double batches =
      static_cast<double>(*row.samples) / static_cast<double>(row.config.shape.batch_size);
  const double epoch_ms = std::max(1.0, batches) * row.iteration_ms.value;
  return row.new_epoch_ms / (row.new_epoch_ms + epoch_ms);
}

// How much longer slow batches take than typical ones, where the loop waits for workers.
double unevenness(const LoaderRow& row) {
  constexpr double kWaits = 0.05;
  if (row.config.loader->workers == 0 || row.typical_ms <= 0 || wait_share(row) < kWaits) return 0;
  return row.slow_ms / row.typical_ms - 1;
}

double difference(const LoaderRow& row) {
  if (row.most_samples <= row.fewest_samples) return 0;
  return static_cast<double>(row.most_samples - row.fewest_samples) /
         static_cast<double>(row.most_samples);
}

constexpr Metric kCollateShare{
    "collate_share", "Share of an iteration spent waiting while workers collate batches."};
constexpr Metric kGrowth{"worker_memory_growth",
                         "Growth of the private memory of a loader worker over what it began with "
                         "(or over 16 MiB, where that is less).",
                         findings::kRatioUnit, "growth of a worker's memory"};
constexpr Metric kPinningSaves{"pinning_saves",
                               "Share of an iteration that copying a batch takes longer from "
                               "pageable memory than from pinned memory."};
constexpr Metric kStartupShare{"startup_share",
                               "Share of an epoch spent until its first batch is there."};
constexpr Metric kUnevenness{"uneven_batches",
                             "Time that 95 % of the batches stay below over the typical time to "
                             "make a batch, less 1."};
constexpr Metric kDifference{"dataset_difference",
                             "Share of the samples of the largest data set of the visits that the "
                             "smallest one lacks."};

constexpr double kLittle = 0.10, kMuch = 0.25;

// A rule about one setting: the worst of all is named.
struct Rule {
  Row kind;  // its number is what `of` says, those of its severity are the limits
  double (*of)(const LoaderRow&);
  std::string (*what)(const LoaderRow&, double);
  std::string_view fix;
};

std::string of_workers(const LoaderRow& row) {
  return workers_in_words(*row.config.loader);
}

constexpr std::array kRules = {
    Rule{Row("loader.slow-collate", "Collating takes a large share of an iteration",
             "The time that the loop waits for a batch, divided between fetching its samples "
             "and collating them as they take time in the worker (or the loop itself).",
             "Build the batch in one step from arrays of the same shape, without lists of "
             "numbers and without concatenating in a loop.",
             Prose("medium from {%}, high from {%} of an iteration", kLittle, kMuch),
             findings::metrics(&kCollateShare)),
         collate_share,
         [](const LoaderRow& row, double share) {
           return fmt::format(
               "With {} collating takes {} of an iteration ({} a batch; fetching "
               "takes {}).",
               of_workers(row), percent(share), milliseconds(row.collate_ms),
               milliseconds(row.fetch_ms));
         },
         "build the batch in one step (torch.stack, numpy.stack, or filling one allocation), and "
         "return arrays instead of lists of numbers from the data set"},
    Rule{Row("loader.copied-objects", "Workers copy the objects of the data set",
             "The private memory of a worker (pages that it alone has written) grows over an "
             "epoch by more than 16 MiB and more than a quarter. Reading a Python object writes "
             "its reference count, so a forked worker copies the page it lies in. "
             "Resident memory does not show this: the pages were there before.",
             "Keep the items of the data set in one array instead of many Python objects.",
             Prose("medium from {%}, high from {%} of growth", kMuch, 2.0),
             findings::metrics(&kGrowth)),
         growth,
         [](const LoaderRow& row, double) {
           return fmt::format(
               "With {} the private memory of each worker grows from {} to {} over {} of an "
               "epoch.",
               of_workers(row), base::format_bytes(row.begun->private_dirty_bytes),
               base::format_bytes(row.ended->private_dirty_bytes), percent(row.epoch_share));
         },
         "keep paths, labels and texts in one array (numpy, torch, pyarrow) instead of lists of "
         "Python objects; a cache that the data set fills grows the same way"},
    Rule{Row("loader.unpinned-copies", "Copies to the device come from pageable memory",
             "batchscope copies a batch to the device from where the loader left it, and from "
             "pinned memory, each by itself: pinned memory is faster by a share of an iteration "
             "that "
             "matters. A description: measure it with --loader SOURCE,pin-memory=off,on.",
             "Pin the memory of batches and copy without waiting.",
             Prose("medium from {%}, high from {%} of an iteration", 0.02, kLittle),
             findings::metrics(&kPinningSaves)),
         saved_by_pinning,
         [](const LoaderRow& row, double share) {
           return fmt::format(
               "With {} copying a batch from pageable memory takes {}, from "
               "pinned memory {}: {} of an iteration.",
               of_workers(row), findings::milliseconds_of(row.copies->pageable_ns),
               findings::milliseconds_of(row.copies->pinned_ns), percent(share));
         },
         "use pin_memory=True and .to(device, non_blocking=True); --loader "
         "SOURCE,pin-memory=off,on compares "
         "both"},
    Rule{Row("loader.startup-each-epoch", "Starting workers takes a large share of an epoch",
             "The time until the first batch of a new epoch, beside the time of an epoch of "
             "iterations: without persistent workers all of them start anew.",
             "Keep the workers between epochs (persistent_workers=True).",
             Prose("medium from {%}, high from {%} of an epoch", 0.05, kMuch),
             findings::metrics(&kStartupShare)),
         startup_share,
         [](const LoaderRow& row, double share) {
           return fmt::format(
               "With {} the first batch of an epoch comes after {}: {} of an "
               "epoch of {} samples.",
               of_workers(row), milliseconds(row.new_epoch_ms), percent(share), *row.samples);
         },
         "use persistent_workers=True, and make what a worker opens cheap to open"},
    Rule{Row("loader.uneven-samples", "Some batches take much longer to make",
             Prose("The time that 95 % of the batches stay below is at least {%} above the "
                   "typical one, and the loop waits for at least 5 % of an iteration. Workers "
                   "deliver batches in order, so one slow batch holds back those that are ready.",
                   1.0),
             "Keep more batches ready, mix long and short samples, or allow batches out of "
             "order.",
             Prose("medium from {%}, high from {%} above the typical batch", 1.0, 3.0),
             findings::metrics(&kUnevenness)),
         unevenness,
         [](const LoaderRow& row, double) {
           return fmt::format(
               "With {} a batch typically takes {} to make, but one in twenty "
               "{} or more, and the loop waits for {} of an iteration.",
               of_workers(row), milliseconds(row.typical_ms), milliseconds(row.slow_ms),
               percent(wait_share(row)));
         },
         "raise prefetch_factor, mix long and short samples in a batch, or use in_order=False "
         "if the order may change"},
    Rule{Row("loader.dataset-differs", "The data set differs from visit to visit",
             "The function that makes the data set returned one of another length in another "
             "process, so that times are not of the same work.",
             "Let it return the same data set in every call: fix its seed, or the list of files.",
             Prose("medium above {%}, high from {%} of the samples", 0.0, kLittle),
             findings::metrics(&kDifference)),
         difference,
         [](const LoaderRow& row, double) {
           return fmt::format("With {} the data set had {} to {} samples.", of_workers(row),
                              row.fewest_samples, row.most_samples);
         },
         "return the same data set in every call: fix its seed, or list its files once"}};

std::optional<Finding> worst_of(const Rule& rule, const std::vector<LoaderRow>& rows) {
  const LoaderRow* worst = nullptr;
  double most = 0;
  for (const LoaderRow& row : rows) {
    const double value = rule.of(row);
    if (value <= most) continue;
    worst = &row;
    most = value;
  }
  if (worst == nullptr || most < rule.kind.severity.number(0)) return std::nullopt;
  Finding finding;
  finding.id = rule.kind.id;
  finding.doc = findings::doc_link(rule.kind.id);
  finding.status = findings::Status::measured;
  finding.severity =
      most >= rule.kind.severity.number(1) ? findings::Severity::high : findings::Severity::medium;
  finding.where = worst->config;
  finding.batch_sizes = {worst->config.shape.batch_size};
  finding.what = rule.what(*worst, most);
  finding.evidence = {findings::evidence_of(*rule.kind.evidence.front(), most)};
  finding.fix = rule.fix;
  return finding;
}

}  // namespace

std::vector<Finding> loader_findings(const tables::RunView& view,
                                     const std::vector<LoaderRow>& rows,
                                     const tables::TestOptions& options) {
  std::vector<Finding> found = worker_count_findings(view, rows, options);
  for (const Rule& rule : kRules) {
    if (auto worst = worst_of(rule, rows)) found.push_back(*std::move(worst));
  }
  return found;
}

findings::Catalogue loader_kinds() {
  return findings::joined({worker_count_kinds(), base::mapped(kRules, [](const Rule& rule) {
                             return rule.kind.kind();
                           })});
}

}  // namespace batchscope::analyze
