#include "batchscope/causes/loading.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "batchscope/findings/catalogue.hpp"
#include "batchscope/findings/wording.hpp"

namespace batchscope::causes {
namespace {

using findings::Comparison;
using findings::Finding;
using findings::in_interval;
using findings::percent;

// Another number of workers that is proven faster than the one in question.
struct Faster {
  int workers = 0;
  double ratio = 1;  // of times, below 1
  std::optional<stats::Interval> ci;
};

int workers_of(const std::string& text) {
  int workers = 0;
  std::from_chars(text.data(), text.data() + text.size(), workers);
  return workers;
}

schema::RunConfig with_workers(schema::RunConfig config, const std::string& workers) {
  if (config.loader) config.loader->workers = workers_of(workers);
  return config;
}

std::optional<Faster> faster_by(const Comparison& comparison, const schema::RunConfig& where) {
  if (comparison.axis != schema::kLoaderWorkers || !comparison.significant) return std::nullopt;
  const findings::Estimate& ratio = comparison.ratio;
  if (comparison.config == where && ratio.value < 1) {
    return Faster{workers_of(comparison.other), ratio.value, ratio.ci};
  }
  const bool is_other = with_workers(comparison.config, comparison.other) == where;
  if (!is_other || ratio.value <= 1) return std::nullopt;
  Faster faster{workers_of(comparison.base), 1 / ratio.value, std::nullopt};
  if (ratio.ci) faster.ci = stats::Interval{1 / ratio.ci->high, 1 / ratio.ci->low};
  return faster;
}

void confirm(const Faster& faster, Finding& finding) {
  finding.status = findings::Status::confirmed;
  schema::RunConfig with = *config_of(finding.where);
  with.loader->workers = faster.workers;
  std::optional<stats::Interval> saved;
  if (faster.ci) saved = stats::Interval{1 - faster.ci->high, 1 - faster.ci->low};
  finding.what += fmt::format(" With {} an iteration takes {} less time{}: proven.",
                              schema::workers_in_words(*with.loader), percent(1 - faster.ratio),
                              in_interval(saved));
  finding.gain = saved;
  finding.gain_unit = findings::kRatioUnit;
  finding.fix = fmt::format("use {}; ", schema::workers_in_words(*with.loader)) + finding.fix;
}

}  // namespace

void confirm_loading(const std::vector<Comparison>& comparisons, std::vector<Finding>& findings) {
  for (Finding& finding : findings) {
    const schema::RunConfig* const where = config_of(finding.where);
    if (finding.id != findings::kLoading || where == nullptr || !where->loader) continue;
    std::optional<Faster> best;
    for (const Comparison& comparison : comparisons) {
      const auto faster = faster_by(comparison, *where);
      if (faster && (!best || faster->ratio < best->ratio)) best = faster;
    }
    if (best) confirm(*best, finding);
  }
}

}  // namespace batchscope::causes
