#include "worker_counts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "batchscope/findings/floors.hpp"
#include "batchscope/findings/wording.hpp"
#include "batchscope/stats/mean_estimate.hpp"
#include "batchscope/tables/estimates.hpp"
#include "batchscope/tables/paired_visits.hpp"
#include "batchscope/timing/evidence.hpp"

namespace batchscope::analyze {
namespace {

using findings::Estimate;
using findings::Finding;
using findings::LoaderRow;
using findings::Metric;
using findings::milliseconds;
using findings::percent;
using Row = findings::KindRow<>;

constexpr Metric kLonger{"longer_than_best",
                         "Mean iteration with this number of workers over that with the best one, "
                         "less 1, paired within blocks."};
constexpr Metric kWait{"loader_wait_ms", "Part of an iteration that waits for the batch.", "ms",
                       "wait"};

constexpr auto kTooFew =
    Row("loader.too-few-workers", "More loader workers make iterations shorter",
        "Waiting for a batch and the step, measured together with several numbers of workers of a "
        "DataLoader: more of them make the full iteration shorter (proven).",
        "Use the number of workers named.", "low from 3 %, medium from 10 %, high from 25 % longer",
        findings::metrics(&kLonger, &kWait));

constexpr auto kTooMany =
    Row("loader.too-many-workers", "Fewer loader workers make iterations shorter",
        "Fewer workers of a DataLoader make the full iteration shorter (proven). Workers take CPUs "
        "from the step and hand each batch over between processes, so an iteration may take longer "
        "although it waits less: the wait alone does not tell.",
        "Use the number of workers named.", "low from 3 %, medium from 10 %, high from 25 % longer",
        findings::metrics(&kLonger, &kWait));

int workers_of(const LoaderRow& row) {
  return row.config.loader->workers;
}

// How the other is slower than the best: the ratio of their mean iterations, if it is proven.
std::optional<Estimate> slower(const tables::RunView& view, const LoaderRow& other,
                               const LoaderRow& best, double level) {
  const auto pairs =
      tables::pair_visits(view, other.config, best.config, timing::Use::measured, timing::mean_ns);
  if (!pairs.settled || pairs.contrasts.size() < timing::kPairsToProve) return std::nullopt;
  const auto ratio = tables::exp_estimate(pairs.contrasts, level, tables::kCalmMethod);
  if (!ratio.ci || ratio.ci->low <= 1 || ratio.value - 1 < findings::kPractical) {
    return std::nullopt;
  }
  return tables::less_one(ratio);
}

std::string why_slower(const LoaderRow& row, const LoaderRow& best) {
  if (row.wait_ms >= best.wait_ms) {
    return fmt::format("it waits {} for a batch instead of {}", milliseconds(row.wait_ms),
                       milliseconds(best.wait_ms));
  }
  return fmt::format(
      "it waits less for a batch ({} instead of {}), but the step takes {} instead "
      "of {}",
      milliseconds(row.wait_ms), milliseconds(best.wait_ms), milliseconds(row.own_ms),
      milliseconds(best.own_ms));
}

Finding finding_of(const Row& kind, const LoaderRow& row, const LoaderRow& best,
                   const Estimate& longer) {
  Finding finding;
  finding.id = kind.id;
  finding.doc = findings::doc_link(kind.id);
  finding.status = findings::Status::proven;
  finding.severity = findings::severity_of_excess(longer.value);
  finding.where = row.config;
  finding.batch_sizes = {row.config.shape.batch_size};
  finding.what =
      fmt::format("With {} an iteration takes {}, {} longer than with {}{}: {}.",
                  workers_in_words(*row.config.loader), milliseconds(row.iteration_ms.value),
                  percent(longer.value), workers_in_words(*best.config.loader),
                  findings::in_interval(longer.ci), why_slower(row, best));
  finding.evidence = {findings::evidence_of(kLonger, longer),
                      findings::evidence_of(kWait, row.wait_ms)};
  finding.gain = stats::Interval{1 - 1 / (1 + longer.ci->low), 1 - 1 / (1 + longer.ci->high)};
  finding.gain_unit = findings::kRatioUnit;
  finding.fix = fmt::format("use {} (num_workers={})", workers_in_words(*best.config.loader),
                            workers_of(best));
  return finding;
}

// Alike but for the workers, and what goes with them.
bool competes(const LoaderRow& a, const LoaderRow& b) {
  schema::RunConfig x = a.config, y = b.config;
  x.loader->workers = y.loader->workers = 0;
  if (workers_of(a) == 0 || workers_of(b) == 0) {
    x.loader->prefetch = y.loader->prefetch;
    x.loader->start_method = y.loader->start_method;
  }
  return x == y;
}

}  // namespace

std::vector<Finding> worker_count_findings(const tables::RunView& view,
                                           const std::vector<LoaderRow>& rows,
                                           const tables::TestOptions& options) {
  std::vector<Finding> found;
  if (rows.size() < 2) return found;
  // Any of them could have been the one that seems worst.
  const double level = 1 - (1 - options.level) / static_cast<double>(rows.size() - 1);
  const auto& best = *std::ranges::min_element(
      rows, {}, [](const LoaderRow& row) { return row.iteration_ms.value; });
  const LoaderRow *fewest = nullptr, *most = nullptr;
  std::optional<Estimate> of_fewest, of_most;
  for (const LoaderRow& row : rows) {
    if (workers_of(row) == workers_of(best) || !competes(row, best)) continue;
    const auto longer = slower(view, row, best, level);
    if (!longer) continue;
    const bool is_fewest = fewest == nullptr || workers_of(row) < workers_of(*fewest);
    if (workers_of(row) < workers_of(best) && is_fewest) {
      fewest = &row;
      of_fewest = longer;
    }
    const bool is_most = most == nullptr || workers_of(row) > workers_of(*most);
    if (workers_of(row) > workers_of(best) && is_most) {
      most = &row;
      of_most = longer;
    }
  }
  if (fewest != nullptr) found.push_back(finding_of(kTooFew, *fewest, best, *of_fewest));
  if (most != nullptr) found.push_back(finding_of(kTooMany, *most, best, *of_most));
  return found;
}

findings::Catalogue worker_count_kinds() {
  return {kTooFew.kind(), kTooMany.kind()};
}

}  // namespace batchscope::analyze
