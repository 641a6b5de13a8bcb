#include "batchscope/study/calibrate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "batchscope/analyze/analyze.hpp"
#include "batchscope/base/counted.hpp"
#include "batchscope/engines/synthetic.hpp"
#include "batchscope/measure/in_process_executor.hpp"
#include "batchscope/measure/session.hpp"
#include "batchscope/schema/not_stated.hpp"
#include "batchscope/stats/descriptive.hpp"
#include "batchscope/stats/mean_estimate.hpp"
#include "batchscope/timing/contrasted.hpp"
#include "batchscope/timing/evidence.hpp"

namespace batchscope::study {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

double worst_distance(const std::vector<double>& values) {
  const double centre = stats::median(values);
  double worst = 0;
  for (const double value : values) worst = std::max(worst, std::abs(value - centre));
  return worst;
}

constexpr std::array<int64_t, 6> kSizes{1, 2, 3, 4, 6, 8};
constexpr std::array<int64_t, 3> kPlacesOfExcess{2, 3, 4};
constexpr std::array kExcesses{0.03, 0.04, 0.05, 0.06, 0.08, 0.10, 0.12,
                               0.15, 0.20, 0.25, 0.30, 0.40, 0.50};
constexpr double kFoundOften = 0.9;

measure::Job synthetic_job(const std::string& law, uint64_t seed) {
  measure::Job job;
  job.header.seed = seed;
  job.header.plan.blocks_fixed = true;
  job.header.plan.iterations = 5;
  for (const int64_t size : kSizes) {
    schema::RunConfig config;
    config.engine = schema::kEngineOfLaws;
    config.model = law;
    config.shape.batch_size = size;
    job.configs.push_back(config);
  }
  job.models[law].name = law;
  return job;
}

// The batch sizes that something was proven of.
Result<std::vector<int64_t>> proven_sizes(const std::string& law, uint64_t seed) {
  const auto executor =
      measure::make_in_process_executor(engines::load_synthetic, measure::ModelReuse::never);
  const auto sink = measure::make_null_sink();
  measure::Session session(synthetic_job(law, seed), {*executor, *sink, nullptr, {}});
  if (auto end = measure::run(session); !end) return std::move(end).error();
  const schema::RunFile& run = session.recorded();
  std::vector<int64_t> sizes;
  for (const findings::Finding& finding : analyze::analyze(std::span(&run, 1)).findings) {
    if (finding.status != findings::Status::proven) continue;
    sizes.insert(sizes.end(), finding.batch_sizes.begin(), finding.batch_sizes.end());
  }
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

std::string law_with_excess(double visit_sd, int64_t size, double excess) {
  // The measured sd holds process and visit effects together; fresh processes make them one.
  return fmt::format("synthetic:affine:2ms,10ms;process_sd=0;visit_sd={:.6f};anomaly={}:{:.4f}",
                     visit_sd, size, 1 + excess);
}

// Share of experiments in which exactly `size` was proven (or nothing, without an excess).
Result<double> found_share(double visit_sd, double excess, int experiments, uint64_t seed) {
  int found = 0;
  for (int i = 0; i < experiments; ++i) {
    const int64_t size = kPlacesOfExcess[static_cast<size_t>(i) % kPlacesOfExcess.size()];
    const auto sizes =
        proven_sizes(law_with_excess(visit_sd, size, excess), seed + static_cast<uint64_t>(i));
    if (!sizes) return sizes.error();
    const std::vector<int64_t> truth =
        excess > 0 ? std::vector<int64_t>{size} : std::vector<int64_t>{};
    found += *sizes == truth ? 1 : 0;
  }
  return static_cast<double>(found) / experiments;
}

}  // namespace

measure::Job against_itself(const measure::Job& job) {
  measure::Job twin = job;
  twin.configs.clear();
  twin.models.clear();
  twin.header.models.clear();
  for (const char* name : {" (A)", " (B)"}) {
    schema::RunConfig config = job.configs.front();
    schema::ModelInfo info = job.header.models.front();
    info.name += name;
    twin.models[info.name] = job.models.at(config.model);
    config.model = info.name;
    twin.configs.push_back(config);
    twin.header.models.push_back(info);
  }
  return twin;
}

Result<MachineNoise> machine_noise(const schema::RunFile& run) {
  if (run.configs.size() != 2) {
    return Error{ErrorKind::failed, "the run does not compare one model with itself", "calibration",
                 "calibrate again"};
  }
  const auto twins = timing::contrasted_visits(run, run.configs[0], run.configs[1],
                                               timing::Use::measured, timing::warmups_of(run));
  const timing::LogsByBlock ours = timing::logs_by_block(twins.a, timing::typical_ns);
  const timing::LogsByBlock theirs = timing::logs_by_block(twins.b, timing::typical_ns);
  const std::vector<double> differences = timing::paired(theirs, ours);
  std::vector<double> first, second;
  for (const int block : timing::blocks_in_both(ours, theirs)) {
    first.push_back(ours.at(block));
    second.push_back(theirs.at(block));
  }
  const auto interval = stats::mean_interval(differences, 0.95, stats::Method::student_t);
  if (differences.size() < timing::kPairsToProve || !interval) {
    return Error{ErrorKind::failed,
                 fmt::format("only {} succeeded, but calibration needs {}",
                             base::counted(differences.size(), "pair"), timing::kPairsToProve),
                 "calibration", "read the messages above, and try a longer --budget"};
  }
  MachineNoise noise;
  noise.pairs = static_cast<int>(differences.size());
  noise.visit_sd =
      interval->se * std::sqrt(static_cast<double>(differences.size())) / std::sqrt(2.0);
  noise.worst_visit = std::max(worst_distance(first), worst_distance(second));
  noise.difference = {std::exp(interval->mean),
                      stats::Interval{std::exp(interval->low), std::exp(interval->high)}};
  return noise;
}

Result<DetectionLimits> detection_limits(double visit_sd, int experiments, uint64_t seed) {
  DetectionLimits limits;
  limits.experiments = experiments;
  const auto quiet = found_share(visit_sd, 0, experiments, seed);
  if (!quiet) return quiet.error();
  limits.false_alarms = 1 - *quiet;
  for (const double excess : kExcesses) {
    const auto found = found_share(visit_sd, excess, experiments, seed);
    if (!found) return found.error();
    limits.curve.push_back({excess, *found});
    if (*found < kFoundOften) continue;
    limits.smallest = excess;
    break;
  }
  return limits;
}

}  // namespace batchscope::study
