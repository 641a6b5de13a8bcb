// How good the recommended configuration is on laws that are drawn at random.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "batchscope/analyze/analyze.hpp"
#include "batchscope/engines/synthetic.hpp"
#include "batchscope/stats/rng.hpp"
#include "experiment.hpp"
#include "row.hpp"

namespace batchscope::truth {
namespace {

const std::vector<int64_t> kSizes = {1, 2, 4, 8, 16, 32};
const char* const kTopic = "Recommendation on generated laws";
constexpr double kGood = 0.98;
constexpr double kSpare = 0.10;

// A law with what is asked of it.
struct Task {
  std::string law;
  std::vector<int> instances{1};
  double contention = 0;
  std::optional<double> budget_ns = std::nullopt;

  Experiment experiment(uint64_t seed) const {
    const std::string model = fmt::format("{};contention={:.3f}{}", law, contention, kUsualNoise);
    Experiment made{{model}, kSizes, 12, seed, instances};
    if (budget_ns) made.latency_budget_s = *budget_ns * 1e-9;
    return made;
  }
  double time_ns(int64_t size, int copies) const {
    const auto spec = engines::parse_synthetic(law);
    return *engines::true_time_ns(*spec, size) * (1 + contention * (copies - 1));
  }
  double rate(int64_t size, int copies) const {
    return static_cast<double>(size * copies) / time_ns(size, copies);
  }
};

// Apart from the draws of the experiment of the same seed.
stats::Rng rng_for(uint64_t seed) {
  return stats::Rng(stats::mix_seed(seed, 0x1a35));
}

std::string random_law(stats::Rng& rng) {
  const double fixed = 0.2 * std::exp(4 * rng.uniform());
  const double kind = 3 * rng.uniform();
  if (kind < 1) return fmt::format("affine:{:.3f}ms,2ms", fixed);
  if (kind < 2) {
    const double memory = 0.5 + rng.uniform();
    return fmt::format("roofline:{:.3f}ms,{:.3f}ms,{:.3f}ms,2ms", 2 * fixed, fixed, memory);
  }
  constexpr std::array<int, 4> kSteps = {2, 4, 8, 16};
  const auto step = kSteps[static_cast<std::size_t>(4 * rng.uniform())];
  return fmt::format("staircase:{:.3f}ms,{}ms,{}", fixed, 2 * step, step);
}

findings::Recommendation recommended(const Task& task, uint64_t seed) {
  return analyse(task.experiment(seed)).recommendations.front();
}

// Throughput of the pick over the best of those whose time leaves `spare` of the budget.
double share_of_best(const Task& task, const findings::Recommendation& pick, double spare) {
  double best = 0;
  for (const int copies : task.instances) {
    for (const int64_t size : kSizes) {
      const bool kept =
          !task.budget_ns || task.time_ns(size, copies) * (1 + spare) <= *task.budget_ns;
      if (kept) best = std::max(best, task.rate(size, copies));
    }
  }
  return task.rate(pick.config.shape.batch_size, pick.config.instances) / best;
}

Row any_law() {
  return {kTopic,
          "throughput at least 98 % of the best of all sizes",
          {0.98, std::nullopt},
          [](uint64_t seed) {
            stats::Rng rng = rng_for(seed);
            const Task task{random_law(rng)};
            return share_of_best(task, recommended(task, seed), 0) >= kGood;
          }};
}

Row any_instances() {
  return {kTopic,
          "1 and 2 instances, of which two slow each other by 0 to 120 %: throughput at least 98 % "
          "of the best of all",
          {0.98, std::nullopt},
          [](uint64_t seed) {
            stats::Rng rng = rng_for(seed);
            Task task{random_law(rng), {1, 2}};
            task.contention = 1.2 * rng.uniform();
            return share_of_best(task, recommended(task, seed), 0) >= kGood;
          }};
}

// A budget of `factor` times the time of a size drawn at random.
Task with_budget(stats::Rng& rng, double factor) {
  Task task{random_law(rng)};
  const auto place = static_cast<std::size_t>(static_cast<double>(kSizes.size()) * rng.uniform());
  task.budget_ns = factor * task.time_ns(kSizes[place], 1);
  return task;
}

Row best_within_budget() {
  return {kTopic,
          "a latency budget: throughput at least 98 % of the best size with 10 % to spare",
          {0.98, std::nullopt},
          [](uint64_t seed) {
            stats::Rng rng = rng_for(seed);
            const Task task = with_budget(rng, 1.15);
            const auto pick = recommended(task, seed);
            return pick.feasible && share_of_best(task, pick, kSpare) >= kGood;
          }};
}

Row budget_kept() {
  return {kTopic,
          "a latency budget within 3 % of a size's time: exceeded by the true time of the pick",
          {std::nullopt, 0.05},
          [](uint64_t seed) {
            stats::Rng rng = rng_for(seed);
            const Task task = with_budget(rng, std::exp(0.06 * rng.uniform() - 0.03));
            const auto pick = recommended(task, seed);
            return pick.feasible && task.time_ns(pick.config.shape.batch_size, 1) > *task.budget_ns;
          }};
}

}  // namespace

std::vector<Row> choice_rows() {
  return {any_law(), any_instances(), best_within_budget(), budget_kept()};
}

}  // namespace batchscope::truth
