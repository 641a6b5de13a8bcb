#include "training_scenes/families.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>

namespace batchscope::training_scenes {
namespace {

using training::StepWatch;
using watch::ActiveFinding;

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

std::vector<ActiveFinding> of_id(const std::vector<ActiveFinding>& all, std::string_view id) {
  std::vector<ActiveFinding> found;
  for (const ActiveFinding& one : all) {
    if (one.finding.id == id) found.push_back(one);
  }
  return found;
}

int64_t time_of(const SimulatedRun& run, int64_t step) {
  return run.steps.at(static_cast<std::size_t>(step)).time_ns;
}

// Its beginning, as a number of steps from the true one.
int64_t off_by(const ActiveFinding& one, const SimulatedRun& run, int64_t step) {
  int64_t began = 0;
  for (const auto& made : run.steps) began += made.time_ns < one.since_ns;
  return std::abs(began - step);
}

// One regression, of that size, about that step.
bool is_regression(const std::vector<ActiveFinding>& all, const SimulatedRun& run,
                   const RunPlan& plan) {
  const auto found = of_id(all, "training.regression");
  if (found.size() != 1 || found[0].finding.evidence.empty()) return false;
  const double size = found[0].finding.evidence[0].estimate.value;
  const double margin = std::max(0.02, 0.2 * plan.change);
  return std::abs(size - plan.change) < margin && off_by(found[0], run, plan.change_at) <= 64;
}

bool is_quiet(const std::vector<ActiveFinding>& all) {
  return std::all_of(all.begin(), all.end(), [](const ActiveFinding& one) {
    return one.finding.severity < findings::Severity::medium;
  });
}

int64_t inside(const RunPlan& plan, stats::Rng& rng) {
  return 700 + static_cast<int64_t>(rng.below(static_cast<uint64_t>(plan.steps - 1400)));
}

void step_change(RunPlan& plan, stats::Rng& rng, double size) {
  plan.change_at = inside(plan, rng);
  plan.change = size;
}

bool finds_change(const StepWatch& watch, const SimulatedRun& run, const RunPlan& plan) {
  return is_regression(watch.all(), run, plan) &&
         of_id(watch.active(), "training.regression").size() == 1;
}

bool is_not_called(const StepWatch& watch, const SimulatedRun&, const RunPlan&) {
  return is_quiet(watch.all());
}

// Far slower than the looked-at steps are many.
void make_noise_slow(RunPlan& plan, stats::Rng& rng) {
  plan.heavy_tails = false;
  plan.warm_up = 0;
  plan.correlation = 1 - std::exp(between(rng, std::log(0.02), std::log(0.1)));
  plan.noise = between(rng, 0.005, 0.03);
  plan.white_noise = between(rng, 0.2, 2) * plan.noise;
}

std::vector<Family> healthy_families() {
  return {
      {"healthy", true, [](RunPlan&, stats::Rng&) {}, is_not_called},
      {"healthy, with noise of 0.5 to 3 % that lasts for 10 to 50 steps", true, make_noise_slow,
       is_not_called},
      {"slow steps at random: neither a change nor a rhythm", true,
       [](RunPlan& plan, stats::Rng& rng) {
         plan.steps = 6000;
         plan.checkpoint_every = plan.logging_every = 0;
         plan.spikes = between(rng, 0.03, 0.15);
         plan.most_spike = between(rng, 0.5, 2);
       },
       [](const StepWatch& watch, const SimulatedRun&, const RunPlan&) {
         const auto all = watch.all();
         return of_id(all, "training.regression").empty() &&
                of_id(all, "training.periodic-slow-steps").empty();
       }},
      {"begins anew again and again", true,
       [](RunPlan& plan, stats::Rng& rng) {
         plan.counts_to = 400 + static_cast<int64_t>(rng.below(500));
         plan.begins_anew = true;
       },
       is_not_called},
      {"epochs that count their steps anew", true,
       [](RunPlan& plan, stats::Rng& rng) {
         plan.counts_to = 300 + static_cast<int64_t>(rng.below(500));
       },
       is_not_called},
  };
}

std::vector<Family> families_of_changes() {
  return {
      {"slower by 5 %", false, [](RunPlan& plan, stats::Rng& rng) { step_change(plan, rng, 0.05); },
       finds_change},
      {"slower by 10 %", false, [](RunPlan& plan, stats::Rng& rng) { step_change(plan, rng, 0.1); },
       finds_change},
      {"slower by 20 %", false, [](RunPlan& plan, stats::Rng& rng) { step_change(plan, rng, 0.2); },
       finds_change},
      {"slower by 20 to 60 %, with slow noise of 0.2 to 0.5 %", false,
       [](RunPlan& plan, stats::Rng& rng) {
         make_noise_slow(plan, rng);
         plan.correlation = 1 - std::exp(between(rng, std::log(0.001), std::log(0.1)));
         plan.noise = between(rng, 0.002, 0.005);
         plan.white_noise = between(rng, 0.0005, 0.003);
         step_change(plan, rng, between(rng, 0.2, 0.6));
       },
       finds_change},
      {"slower, and back", false,
       [](RunPlan& plan, stats::Rng& rng) {
         step_change(plan, rng, between(rng, 0.1, 0.5));
         plan.back_at = plan.change_at + 200 + static_cast<int64_t>(rng.below(400));
       },
       [](const StepWatch& watch, const SimulatedRun& run, const RunPlan& plan) {
         return is_regression(watch.all(), run, plan) &&
                of_id(watch.active(), "training.regression").empty();
       }},
      {"slower little by little", false,
       [](RunPlan& plan, stats::Rng& rng) { plan.drift = between(rng, 0.08, 0.3); },
       [](const StepWatch& watch, const SimulatedRun&, const RunPlan&) {
         return of_id(watch.active(), "training.slowing").size() == 1 &&
                of_id(watch.all(), "training.regression").empty();
       }},
  };
}

// By the mean of all steps, whose scatter is large.
bool finds_change_of_some(const StepWatch& watch, const SimulatedRun& run, const RunPlan& plan) {
  const auto found = of_id(watch.all(), "training.regression");
  if (found.size() != 1 || found[0].ended_ns) return false;
  const double size = plan.change_of * plan.change;
  return std::abs(found[0].finding.evidence[0].estimate.value - size) < 0.25 * size &&
         off_by(found[0], run, plan.change_at) <= 64;
}

// What it was, and what is left of it.
bool finds_part(const StepWatch& watch, const SimulatedRun& run, const RunPlan& plan) {
  const auto now = of_id(watch.active(), "training.regression");
  if (now.size() != 1 || of_id(watch.all(), "training.regression").size() != 2) return false;
  const double size = plan.left * plan.change;
  return std::abs(now[0].finding.evidence[0].estimate.value - size) < std::max(0.02, 0.2 * size) &&
         off_by(now[0], run, *plan.back_at) <= 64;
}

std::vector<Family> families_of_some_slower() {
  return {
      {"slower by 20 to 60 %, and then by 40 to 60 % of that", false,
       [](RunPlan& plan, stats::Rng& rng) {
         step_change(plan, rng, between(rng, 0.2, 0.6));
         plan.back_at = plan.change_at + 200 + static_cast<int64_t>(rng.below(400));
         plan.left = between(rng, 0.4, 0.6);
       },
       finds_part},
      {"30 to 70 % of the steps take 1.5 to 3 times as long", false,
       [](RunPlan& plan, stats::Rng& rng) {
         step_change(plan, rng, between(rng, 0.5, 2));
         plan.change_of = between(rng, 0.3, 0.7);
       },
       finds_change_of_some},
  };
}

std::vector<Family> families_of_causes() {
  return {
      {"slower with the SM clock", false,
       [](RunPlan& plan, stats::Rng& rng) {
         plan.clock_after = between(rng, 0.65, 0.9);
         step_change(plan, rng, 0.9 * (1 / plan.clock_after - 1));
       },
       [](const StepWatch& watch, const SimulatedRun& run, const RunPlan& plan) {
         const auto found = of_id(watch.active(), "training.regression");
         return is_regression(watch.all(), run, plan) && found.size() == 1 &&
                found[0].finding.cause.find("SM clock of GPU 0 fell") != std::string::npos;
       }},
      {"slower beside a busy neighbour", false,
       [](RunPlan& plan, stats::Rng& rng) {
         plan.busy_neighbour_after = between(rng, 0.25, 0.6);
         step_change(plan, rng, between(rng, 0.08, 0.4));
       },
       [](const StepWatch& watch, const SimulatedRun& run, const RunPlan& plan) {
         const auto found = of_id(watch.active(), "training.regression");
         return is_regression(watch.all(), run, plan) && found.size() == 1 &&
                found[0].finding.cause.find("other programs") != std::string::npos;
       }},
      {"waits for batches from a step on", false,
       [](RunPlan& plan, stats::Rng& rng) {
         plan.change_at = inside(plan, rng);
         plan.loading_share_after = between(rng, 0.2, 0.6);
       },
       [](const StepWatch& watch, const SimulatedRun&, const RunPlan&) {
         const auto slower = of_id(watch.all(), "training.regression");
         return of_id(watch.active(), "training.loading").size() == 1 && slower.size() == 1 &&
                slower[0].finding.cause.find("wait for a batch") != std::string::npos;
       }},
  };
}

bool finds_rhythm(const StepWatch& watch, const SimulatedRun&, const RunPlan& plan) {
  const auto found = of_id(watch.active(), "training.periodic-slow-steps");
  return found.size() == 1 &&
         found[0].finding.evidence[0].estimate.value == static_cast<double>(plan.checkpoint_every);
}

std::vector<Family> families_of_batches() {
  return {
      {"waits for batches for 200 to 1500 steps", false,
       [](RunPlan& plan, stats::Rng& rng) {
         plan.steps = 4000;
         plan.change_at = 700 + static_cast<int64_t>(rng.below(500));
         plan.back_at = plan.change_at + 200 + static_cast<int64_t>(rng.below(1300));
         plan.loading_share_after = between(rng, 0.2, 0.6);
       },
       [](const StepWatch& watch, const SimulatedRun& run, const RunPlan& plan) {
         const auto found = of_id(watch.all(), "training.loading");
         if (found.size() != 1 || !found[0].ended_ns) return false;
         const double share = found[0].finding.evidence[0].estimate.value;
         const double truth =
             static_cast<double>(time_of(run, *plan.back_at) - time_of(run, plan.change_at)) / 1e9;
         const double reported = watch::active_seconds(found[0], 0);
         return std::abs(share - plan.loading_share_after) < 0.05 &&
                std::abs(reported - truth) < 0.1 * truth;
       }},
      {"larger batches", false,
       [](RunPlan& plan, stats::Rng& rng) {
         const int64_t times = rng.uniform() < 0.5 ? 2 : 4;
         plan.batch_size_after = plan.batch_size * times;
         step_change(plan, rng, static_cast<double>(times) * between(rng, 0.7, 0.98) - 1);
       },
       [](const StepWatch& watch, const SimulatedRun& run, const RunPlan& plan) {
         const auto found = of_id(watch.all(), "training.batch-change");
         return found.size() == 1 && off_by(found[0], run, plan.change_at) <= 16 &&
                of_id(watch.all(), "training.regression").empty();
       }},
      {"checkpoints in a rhythm", false,
       [](RunPlan& plan, stats::Rng& rng) {
         plan.logging_every = 0;
         plan.checkpoint_every = 20 + static_cast<int64_t>(rng.below(400));
         plan.checkpoint_steps =
             std::max(between(rng, 1.5, 20), 0.015 * static_cast<double>(plan.checkpoint_every));
       },
       finds_rhythm},
  };
}

bool finds_slope(const StepWatch& watch, const SimulatedRun&, const RunPlan& plan) {
  const auto found = of_id(watch.active(), "training.slowing");
  if (found.size() != 1) return false;
  const double reported = found[0].finding.evidence[0].estimate.value;
  return std::abs(reported - plan.change) < 0.25 * plan.change;
}

std::vector<Family> families_of_slopes() {
  return {
      {"slower by 20 to 60 % over 600 to 1800 steps, and stays so", false,
       [](RunPlan& plan, stats::Rng& rng) {
         plan.steps = 5000;
         plan.change_at = 1000 + static_cast<int64_t>(rng.below(1000));
         plan.change_over = 600 + static_cast<int64_t>(rng.below(1200));
         plan.change = between(rng, 0.2, 0.6);
       },
       finds_slope},
  };
}

std::vector<Family> families_of_uneven_rhythms() {
  return {
      {"checkpoints of uneven length in a rhythm", false,
       [](RunPlan& plan, stats::Rng& rng) {
         plan.steps = 6000;
         plan.logging_every = 0;
         plan.checkpoint_every = 20 + static_cast<int64_t>(rng.below(40));
         plan.checkpoint_steps = between(rng, 2, 15);
         plan.checkpoint_spread = between(rng, 0.1, 0.5);
       },
       [](const StepWatch& watch, const SimulatedRun&, const RunPlan& plan) {
         const auto found = of_id(watch.all(), "training.periodic-slow-steps");
         return found.size() == 1 && found[0].finding.evidence[0].estimate.value ==
                                         static_cast<double>(plan.checkpoint_every);
       }},
  };
}

std::vector<Family> families_of_slow_steps() {
  return {
      {"one step of 20 to 200 times the others", false,
       [](RunPlan& plan, stats::Rng& rng) {
         plan.logging_every = plan.checkpoint_every = 0;
         plan.heavy_tails = false;
         plan.spikes = 0;
         plan.far_at = inside(plan, rng);
         plan.far_steps = std::exp(between(rng, std::log(20), std::log(200)));
       },
       [](const StepWatch& watch, const SimulatedRun&, const RunPlan& plan) {
         const auto all = watch.all();
         const std::string reported = fmt::format("Step {} took ", *plan.far_at);
         return all.size() == 1 && all[0].finding.what.starts_with(reported);
       }},
      {"a loader of 3 to 16 workers that is too slow: each time one step waits", false,
       [](RunPlan& plan, stats::Rng& rng) {
         plan.logging_every = 0;
         plan.checkpoint_every = 3 + static_cast<int64_t>(rng.below(14));
         plan.checkpoint_steps = between(rng, 0.5, 5) * static_cast<double>(plan.checkpoint_every);
       },
       finds_rhythm},
  };
}

std::vector<Family> families_of_losses() {
  return {
      {"a loss that is no number at one step or two", false,
       [](RunPlan& plan, stats::Rng& rng) {
         plan.nan_at = inside(plan, rng);
         plan.nan_steps = 1 + static_cast<int64_t>(rng.below(2));
       },
       [](const StepWatch& watch, const SimulatedRun&, const RunPlan&) {
         const auto found = of_id(watch.all(), "training.loss-not-finite");
         return found.size() == 1 && found[0].ended_ns &&
                found[0].finding.severity == findings::Severity::info;
       }},
      {"a loss that is no number", false,
       [](RunPlan& plan, stats::Rng& rng) { plan.nan_at = inside(plan, rng); },
       [](const StepWatch& watch, const SimulatedRun& run, const RunPlan& plan) {
         const auto found = of_id(watch.active(), "training.loss-not-finite");
         return found.size() == 1 && found[0].since_ns == time_of(run, *plan.nan_at);
       }},
      {"a jump of the loss", false,
       [](RunPlan& plan, stats::Rng& rng) {
         plan.spike_at = inside(plan, rng);
         plan.spike_steps = 5 + static_cast<int64_t>(rng.below(30));
         plan.spike_size = std::max(between(rng, 12, 40), 0.3 / plan.loss_noise);
       },
       [](const StepWatch& watch, const SimulatedRun& run, const RunPlan& plan) {
         const auto found = of_id(watch.all(), "training.loss-spike");
         return found.size() == 1 && found[0].ended_ns &&
                off_by(found[0], run, *plan.spike_at) <= 4;
       }},
  };
}

}  // namespace

const std::vector<Family>& families() {
  static const std::vector<Family> kAll = [] {
    std::vector<Family> all = healthy_families();
    for (const auto& some :
         {families_of_changes(), families_of_some_slower(), families_of_causes(),
          families_of_batches(), families_of_uneven_rhythms(), families_of_slopes(),
          families_of_slow_steps(), families_of_losses()}) {
      all.insert(all.end(), some.begin(), some.end());
    }
    return all;
  }();
  return kAll;
}

Verdict judge(const Family& family, uint64_t seed) {
  stats::Rng rng(seed);
  RunPlan plan = draw_plan(rng);
  family.plan(plan, rng);
  const SimulatedRun made = simulate(plan, rng);
  const StepWatch watch = watched(made);
  Verdict verdict{family.is_right(watch, made, plan), ""};
  verdict.reported = fmt::format("change at {} by {}, noise {}, correlation {}", plan.change_at,
                                 plan.change, plan.noise, plan.correlation);
  for (const ActiveFinding& one : watch.all()) {
    verdict.reported += fmt::format("\n  {}{}: {}", one.finding.id, one.ended_ns ? " (ended)" : "",
                                    one.finding.what);
  }
  return verdict;
}

}  // namespace batchscope::training_scenes
