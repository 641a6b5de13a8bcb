#include "training_scenes/simulated_run.hpp"

#include <algorithm>
#include <cmath>

namespace batchscope::training_scenes {

double between(stats::Rng& rng, double low, double high) {
  return low + (high - low) * rng.uniform();
}

namespace {

class Simulation {
 public:
  Simulation(const RunPlan& plan, stats::Rng& rng) : plan_(plan), rng_(rng) {}

  SimulatedRun run() {
    for (int64_t step = 0; step < plan_.steps; ++step) make_step(step);
    return std::move(run_);
  }

 private:
  bool is_changed(int64_t step) const {
    return plan_.change_at >= 0 && step >= plan_.change_at &&
           !(plan_.back_at && step >= *plan_.back_at);
  }

  double along_change(int64_t step) const {
    if (plan_.change_over <= 0) return 1;
    return std::min(
        1.0, static_cast<double>(step - plan_.change_at) / static_cast<double>(plan_.change_over));
  }

  double noise() {
    const double r = plan_.correlation;
    state_ = r * state_ + std::sqrt(1 - r * r) * rng_.normal();
    double value = state_;
    if (plan_.heavy_tails) {
      double squares = 0;
      for (int i = 0; i < 3; ++i) squares += std::pow(rng_.normal(), 2);
      value /= std::sqrt(squares / 3);
    }
    return std::exp(plan_.noise * std::min(value, 20.0) + plan_.white_noise * rng_.normal());
  }

  double seconds_of(int64_t step, bool changed) {
    const auto x = static_cast<double>(step);
    double seconds = plan_.seconds * noise();
    seconds *= 1 + plan_.warm_up * std::exp2(-x / 15);
    seconds *= 1 + plan_.drift * x / static_cast<double>(plan_.steps);
    if (changed && (plan_.change_of >= 1 || rng_.uniform() < plan_.change_of)) {
      seconds *= 1 + plan_.change * along_change(step);
    }
    if (rng_.uniform() < plan_.spikes) {
      seconds *= plan_.most_spike > 0 ? 1 + plan_.most_spike * rng_.uniform() : 3;
    }
    if (plan_.back_at && step >= *plan_.back_at) seconds *= 1 + plan_.left * plan_.change;
    const auto is_due = [&](int64_t every) { return every > 0 && step % every == every - 1; };
    if (is_due(plan_.checkpoint_every)) {
      seconds += plan_.checkpoint_steps * plan_.seconds *
                 std::exp(plan_.checkpoint_spread * rng_.normal());
    }
    if (is_due(plan_.logging_every)) seconds += plan_.logging_share * plan_.seconds;
    return seconds;
  }

  int64_t number_of(int64_t step) const {
    return plan_.counts_to > 0 ? step % plan_.counts_to : step;
  }

  bool is_nan(int64_t step) const {
    if (!plan_.nan_at || step < *plan_.nan_at) return false;
    return plan_.nan_steps == 0 || step < *plan_.nan_at + plan_.nan_steps;
  }

  void put_loss(int64_t step, telemetry::TrainingStep& to) {
    const double level = 1.5 + 4 * std::exp(-static_cast<double>(step) / 700);
    double loss = level * std::exp(plan_.loss_noise * rng_.normal());
    if (plan_.spike_at && step >= *plan_.spike_at) {
      const double left =
          1 - static_cast<double>(step - *plan_.spike_at) / static_cast<double>(plan_.spike_steps);
      loss += std::max(0.0, left) * plan_.spike_size * plan_.loss_noise * level;
    }
    if (is_nan(step)) {
      to.loss_word = "nan";
    } else {
      to.loss = loss;
    }
  }

  void make_step(int64_t step) {
    telemetry::TrainingStep made;
    const int64_t number = number_of(step);
    const double compute = seconds_of(plan_.begins_anew ? number : step, is_changed(step));
    const double far = plan_.far_at == step ? plan_.far_steps * plan_.seconds : 0;
    const double share = is_changed(step) ? plan_.loading_share_after : plan_.loading_share;
    const double wait = compute * share / (1 - share) * between(rng_, 0.5, 1.5);
    made.source = "train";
    made.step = number;
    made.seconds = compute + wait + far;
    made.loading_seconds = wait;
    made.batch_size = is_changed(step) ? plan_.batch_size_after : plan_.batch_size;
    made.learning_rate = 1e-4;
    put_loss(plan_.begins_anew ? number : step, made);
    now_ += made.seconds;
    made.time_ns = static_cast<int64_t>(now_ * 1e9);
    run_.steps.push_back(made);
    for (; next_sample_ <= now_; next_sample_ += 1) take_sample(is_changed(step));
  }

  void take_sample(bool changed) {
    telemetry::GpuReading gpu;
    gpu.gpu = "0";
    gpu.up = true;
    gpu.busy_ratio = 0.95;
    gpu.max_sm_clock_hertz = 1980e6;
    gpu.sm_clock_hertz = 1980e6 * (changed ? plan_.clock_after : 1) * (1 - 0.01 * rng_.uniform());
    gpu.temperature_celsius = 70 + rng_.normal();
    gpu.power_watts = 500 + 20 * rng_.normal();
    gpu.memory_used_bytes = int64_t{40} << 30;
    telemetry::Sample sample;
    sample.time_ns = static_cast<int64_t>(next_sample_ * 1e9);
    sample.gpus.push_back(gpu);
    sample.host.cpus = 16;
    sample.host.cpu_busy_ratio =
        0.3 + 0.02 * rng_.normal() + (changed ? plan_.busy_neighbour_after : 0);
    sample.host.pressure_io_some_ratio = 0.01 * rng_.uniform();
    telemetry::ProcessReading own;
    own.pid = 1;
    own.cpu_cores = 4.5 + 0.3 * rng_.normal();
    sample.processes.push_back(own);
    run_.samples.push_back(sample);
  }

  const RunPlan& plan_;
  stats::Rng& rng_;
  SimulatedRun run_;
  double state_ = 0, now_ = 1000, next_sample_ = 1000;
};

}  // namespace

RunPlan draw_plan(stats::Rng& rng) {
  RunPlan plan;
  plan.steps = 2500 + static_cast<int64_t>(rng.below(1500));
  plan.seconds = std::exp(between(rng, std::log(0.02), std::log(1.0)));
  plan.noise = between(rng, 0.01, 0.05);
  plan.correlation = between(rng, 0, 0.6);
  plan.heavy_tails = rng.uniform() < 0.5;
  plan.warm_up = rng.uniform() < 0.5 ? between(rng, 0.2, 3) : 0;
  if (rng.uniform() < 0.6) {
    plan.checkpoint_every = 50 + static_cast<int64_t>(rng.below(400));
    plan.checkpoint_steps = between(rng, 0.01, 0.08) * static_cast<double>(plan.checkpoint_every);
  }
  if (rng.uniform() < 0.3) {
    plan.logging_every = 10;
    plan.logging_share = between(rng, 0.05, 0.6);
  }
  plan.spikes = rng.uniform() < 0.3 ? 0.002 : 0;
  plan.loss_noise = between(rng, 0.01, 0.1);
  return plan;
}

SimulatedRun simulate(const RunPlan& plan, stats::Rng& rng) {
  return Simulation(plan, rng).run();
}

}  // namespace batchscope::training_scenes
