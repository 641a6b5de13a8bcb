#include "batchscope/monitor/training_monitor.hpp"

#include <chrono>
#include <cmath>
#include <utility>

#include "batchscope/stepfeed/step_feed.hpp"
#include "training_state.hpp"

namespace batchscope::monitor {
namespace {

using SteadyClock = std::chrono::steady_clock;

double seconds_since(SteadyClock::time_point begun) {
  return std::chrono::duration<double>(SteadyClock::now() - begun).count();
}

void put_loss(double loss, telemetry::TrainingStep& step) {
  if (std::isfinite(loss)) {
    step.loss = loss;
  } else {
    step.loss_word = std::isnan(loss) ? "nan" : loss > 0 ? "inf" : "-inf";
  }
}

bool is_time(double seconds) {
  return seconds > 0 && seconds <= stepfeed::kLongestStepSeconds;
}

// A mistake in one number must not cost the step, nor make a counter fall. What was wrong; empty:
// nothing. A step without its time is none.
std::string mended(telemetry::TrainingStep& step) {
  std::string wrong;
  if (step.batch_size && *step.batch_size < 1) {
    wrong = "batch_size is not above 0: ignored";
    step.batch_size.reset();
  }
  if (step.learning_rate && !std::isfinite(*step.learning_rate)) step.learning_rate.reset();
  if (step.loading_seconds && !(*step.loading_seconds >= 0)) {
    wrong = "loading_seconds is below 0: ignored";
    step.loading_seconds.reset();
  }
  if (!is_time(step.seconds)) return "ignored a step: its seconds must be above 0";
  // Whoever waited longer than the step took has timed the computing alone.
  if (step.loading_seconds && *step.loading_seconds > step.seconds) {
    step.seconds += *step.loading_seconds;
  }
  return wrong;
}

}  // namespace

TrainingMonitor::TrainingMonitor(std::unique_ptr<State> state) : state_(std::move(state)) {}

TrainingMonitor::~TrainingMonitor() {
  close();
}

base::Result<std::unique_ptr<TrainingMonitor>> TrainingMonitor::start(
    TrainingMonitorOptions options) {
  auto state = std::make_unique<State>(std::move(options));
  if (auto opened = state->open(); !opened) return std::move(opened).error();
  state->begin();
  return std::unique_ptr<TrainingMonitor>(new TrainingMonitor(std::move(state)));
}

double TrainingMonitor::log_step(const LoggedStep& logged) {
  telemetry::TrainingStep step;
  step.time_ns = state_->clock->now_ns();
  step.source = state_->options.name;
  step.step = logged.step;
  step.seconds = logged.seconds;
  if (logged.loss) put_loss(*logged.loss, step);
  step.learning_rate = logged.learning_rate;
  step.batch_size = logged.batch_size;
  step.loading_seconds = logged.loading_seconds;
  if (const std::string wrong = mended(step); !wrong.empty()) state_->warn_once(wrong);
  if (!is_time(step.seconds)) return 0;
  const double took = state_->profile(step);
  state_->queue.add(std::move(step));
  return took;
}

double TrainingMonitor::log_step(int64_t step, double loss, double learning_rate,
                                 int64_t batch_size, double seconds) {
  return log_step({step, seconds, loss, learning_rate, batch_size, std::nullopt});
}

void TrainingMonitor::close() {
  if (state_) state_->end();
}

std::vector<watch::ActiveFinding> TrainingMonitor::active() const {
  return state_->active();
}

std::vector<watch::ActiveFinding> TrainingMonitor::all() const {
  return state_->all();
}

std::string TrainingMonitor::address() const {
  const auto* const server = state_->outputs.server();
  return server == nullptr ? std::string() : server->address();
}

double TrainingMonitor::profile_overhead() const {
  const std::lock_guard lock(state_->profile_mutex);
  return state_->schedule.overhead();
}

int64_t TrainingMonitor::dropped_steps() const {
  return state_->queue.dropped();
}

void TrainingMonitor::State::warn_once(const std::string& line) {
  if (options.warn && !warned_.exchange(true)) options.warn(line);
}

double TrainingMonitor::State::profile(telemetry::TrainingStep& step) {
  if (options.profile.every <= 0) return 0;
  const std::lock_guard lock(profile_mutex);
  const auto next = schedule.after_step(step.seconds);
  step.profiled = schedule.profiled();
  if (next == ProfileSchedule::Do::nothing) return 0;
  const auto begun = SteadyClock::now();
  if (next == ProfileSchedule::Do::begin) {
    if (options.begin_profile) options.begin_profile();
  } else if (options.end_profile) {
    step.profile_file = options.end_profile();
  }
  const double took = seconds_since(begun);
  schedule.took(took);
  return took;
}

}  // namespace batchscope::monitor
