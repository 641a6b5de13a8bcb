// Runs whose truth is known, drawn with stated seeds: at least 95 % of each family are judged
// right, and at least 98 % of the healthy ones have nothing of medium or high told of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "batchscope/training/step_watch.hpp"
#include "simulated_run.hpp"

namespace batchscope::training {
namespace {

using watch::Standing;

constexpr int kRuns = 100;

StepWatch watched(const SimulatedRun& run) {
  StepWatch watch;
  std::size_t sample = 0;
  for (const auto& step : run.steps) {
    for (; sample < run.samples.size() && run.samples[sample].time_ns < step.time_ns; ++sample) {
      watch.add(run.samples[sample]);
    }
    watch.add(step);
  }
  return watch;
}

std::vector<Standing> of_id(const std::vector<Standing>& all, std::string_view id) {
  std::vector<Standing> found;
  for (const Standing& one : all) {
    if (one.finding.id == id) found.push_back(one);
  }
  return found;
}

int64_t time_of(const SimulatedRun& run, int64_t step) {
  return run.steps.at(static_cast<std::size_t>(step)).time_ns;
}

// Its beginning, as a number of steps from the true one.
int64_t off_by(const Standing& one, const SimulatedRun& run, int64_t step) {
  int64_t began = 0;
  for (const auto& made : run.steps) began += made.time_ns < one.since_ns;
  return std::abs(began - step);
}

// One regression, of that size, about that step.
bool is_regression(const std::vector<Standing>& all, const SimulatedRun& run, const RunPlan& plan) {
  const auto found = of_id(all, "training.regression");
  if (found.size() != 1 || found[0].finding.evidence.empty()) return false;
  const double size = found[0].finding.evidence[0].estimate.value;
  const double margin = std::max(0.02, 0.2 * plan.change);
  return std::abs(size - plan.change) < margin && off_by(found[0], run, plan.change_at) <= 64;
}

bool is_quiet(const std::vector<Standing>& all) {
  return std::all_of(all.begin(), all.end(), [](const Standing& one) {
    return one.finding.severity < findings::Severity::medium;
  });
}

struct Family {
  const char* name;
  double least_right;
  void (*plan)(RunPlan& plan, stats::Rng& rng);
  bool (*is_right)(const StepWatch& watch, const SimulatedRun& run, const RunPlan& plan);
};

int64_t inside(const RunPlan& plan, stats::Rng& rng) {
  return 700 + static_cast<int64_t>(rng.below(static_cast<uint64_t>(plan.steps - 1400)));
}

void step_change(RunPlan& plan, stats::Rng& rng, double size) {
  plan.change_at = inside(plan, rng);
  plan.change = size;
}

bool finds_change(const StepWatch& watch, const SimulatedRun& run, const RunPlan& plan) {
  return is_regression(watch.all(), run, plan) &&
         of_id(watch.standing(), "training.regression").size() == 1;
}

constexpr Family kFamilies[] = {
    {"healthy", 0.98, [](RunPlan&, stats::Rng&) {},
     [](const StepWatch& watch, const SimulatedRun&, const RunPlan&) {
       return is_quiet(watch.all());
     }},
    {"slower by 5 %", 0.95, [](RunPlan& plan, stats::Rng& rng) { step_change(plan, rng, 0.05); },
     finds_change},
    {"slower by 10 %", 0.95, [](RunPlan& plan, stats::Rng& rng) { step_change(plan, rng, 0.1); },
     finds_change},
    {"slower by 20 %", 0.95, [](RunPlan& plan, stats::Rng& rng) { step_change(plan, rng, 0.2); },
     finds_change},
    {"slower, and back", 0.95,
     [](RunPlan& plan, stats::Rng& rng) {
       step_change(plan, rng, between(rng, 0.1, 0.5));
       plan.back_at = plan.change_at + 200 + static_cast<int64_t>(rng.below(400));
     },
     [](const StepWatch& watch, const SimulatedRun& run, const RunPlan& plan) {
       return is_regression(watch.all(), run, plan) &&
              of_id(watch.standing(), "training.regression").empty();
     }},
    {"drift", 0.95, [](RunPlan& plan, stats::Rng& rng) { plan.drift = between(rng, 0.08, 0.3); },
     [](const StepWatch& watch, const SimulatedRun&, const RunPlan&) {
       return of_id(watch.standing(), "training.slowing").size() == 1 &&
              of_id(watch.all(), "training.regression").empty();
     }},
    {"loader", 0.95,
     [](RunPlan& plan, stats::Rng& rng) {
       plan.change_at = inside(plan, rng);
       plan.loading_share_after = between(rng, 0.2, 0.6);
     },
     [](const StepWatch& watch, const SimulatedRun&, const RunPlan&) {
       const auto slower = of_id(watch.all(), "training.regression");
       return of_id(watch.standing(), "training.loading").size() == 1 && slower.size() == 1 &&
              slower[0].finding.cause.find("wait for a batch") != std::string::npos;
     }},
    {"nan", 0.95, [](RunPlan& plan, stats::Rng& rng) { plan.nan_at = inside(plan, rng); },
     [](const StepWatch& watch, const SimulatedRun& run, const RunPlan& plan) {
       const auto found = of_id(watch.standing(), "training.loss-not-finite");
       return found.size() == 1 && found[0].since_ns == time_of(run, *plan.nan_at);
     }},
    {"loss spike", 0.95,
     [](RunPlan& plan, stats::Rng& rng) {
       plan.spike_at = inside(plan, rng);
       plan.spike_steps = 5 + static_cast<int64_t>(rng.below(30));
       plan.spike_size = std::max(between(rng, 12, 40), 0.3 / plan.loss_noise);
     },
     [](const StepWatch& watch, const SimulatedRun& run, const RunPlan& plan) {
       const auto found = of_id(watch.all(), "training.loss-spike");
       return found.size() == 1 && found[0].ended_ns && off_by(found[0], run, *plan.spike_at) <= 4;
     }},
    {"clock", 0.95,
     [](RunPlan& plan, stats::Rng& rng) {
       plan.clock_after = between(rng, 0.65, 0.9);
       step_change(plan, rng, 0.9 * (1 / plan.clock_after - 1));
     },
     [](const StepWatch& watch, const SimulatedRun& run, const RunPlan& plan) {
       const auto found = of_id(watch.standing(), "training.regression");
       return is_regression(watch.all(), run, plan) && found.size() == 1 &&
              found[0].finding.cause.find("SM clock of GPU 0 fell") != std::string::npos;
     }},
    {"neighbour", 0.95,
     [](RunPlan& plan, stats::Rng& rng) {
       plan.busy_neighbour_after = between(rng, 0.25, 0.6);
       step_change(plan, rng, between(rng, 0.08, 0.4));
     },
     [](const StepWatch& watch, const SimulatedRun& run, const RunPlan& plan) {
       const auto found = of_id(watch.standing(), "training.regression");
       return is_regression(watch.all(), run, plan) && found.size() == 1 &&
              found[0].finding.cause.find("other programs") != std::string::npos;
     }},
    {"batch change", 0.95,
     [](RunPlan& plan, stats::Rng& rng) {
       plan.batch_size_after = plan.batch_size * (rng.uniform() < 0.5 ? 2 : 4);
       step_change(
           plan, rng,
           static_cast<double>(plan.batch_size_after / plan.batch_size) * between(rng, 0.7, 0.98) -
               1);
     },
     [](const StepWatch& watch, const SimulatedRun& run, const RunPlan& plan) {
       const auto found = of_id(watch.all(), "training.batch-change");
       return found.size() == 1 && off_by(found[0], run, plan.change_at) <= 16 &&
              of_id(watch.all(), "training.regression").empty();
     }},
    {"checkpoints", 0.95,
     [](RunPlan& plan, stats::Rng& rng) {
       plan.logging_every = 0;
       plan.checkpoint_every = 20 + static_cast<int64_t>(rng.below(400));
       plan.checkpoint_steps =
           std::max(between(rng, 1.5, 20), 0.015 * static_cast<double>(plan.checkpoint_every));
     },
     [](const StepWatch& watch, const SimulatedRun&, const RunPlan& plan) {
       const auto found = of_id(watch.standing(), "training.periodic-slow-steps");
       return found.size() == 1 && found[0].finding.evidence[0].estimate.value ==
                                       static_cast<double>(plan.checkpoint_every);
     }},
};

class Truth : public testing::TestWithParam<Family> {};

TEST_P(Truth, IsToldOfMostRuns) {
  const Family& family = GetParam();
  int right = 0;
  std::string first_wrong;
  for (uint64_t run = 0; run < kRuns; ++run) {
    stats::Rng rng(stats::mix_seed(19, run));
    RunPlan plan = draw_plan(rng);
    family.plan(plan, rng);
    const SimulatedRun made = simulate(plan, rng);
    const StepWatch watch = watched(made);
    const bool is_right = family.is_right(watch, made, plan);
    right += is_right;
    if (is_right) continue;
    first_wrong += "\nrun " + std::to_string(run) + ": change at " +
                   std::to_string(plan.change_at) + " by " + std::to_string(plan.change) +
                   ", noise " + std::to_string(plan.noise) + ", correlation " +
                   std::to_string(plan.correlation);
    for (const Standing& one : watch.all()) {
      first_wrong +=
          "\n  " + one.finding.id + (one.ended_ns ? " (ended)" : "") + ": " + one.finding.what;
    }
  }
  RecordProperty("right", right);
  EXPECT_GE(right, std::ceil(family.least_right * kRuns)) << first_wrong.substr(0, 6000);
}

INSTANTIATE_TEST_SUITE_P(Families, Truth, testing::ValuesIn(kFamilies), [](const auto& of) {
  std::string name;
  for (const char c : std::string(of.param.name)) {
    if (std::isalnum(static_cast<unsigned char>(c))) name.push_back(c);
  }
  return name;
});

}  // namespace
}  // namespace batchscope::training
