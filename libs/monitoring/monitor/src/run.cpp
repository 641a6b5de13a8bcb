#include "batchscope/monitor/run.hpp"

#include <map>

#include "batchscope/base/result.hpp"
#include "batchscope/base/subprocess.hpp"

namespace batchscope::monitor {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kStepsEvery{50};

class Loop {
 public:
  Loop(const RunOptions& options, const RunParts& parts, const std::stop_token& stop)
      : options_(options), parts_(parts), stop_(stop), begun_(SteadyClock::now()) {}

  RunResult run() {
    for (int64_t due = 0;; due = next_after(due)) {
      wait_until_due(due);
      if (parts_.steps != nullptr) take_steps(*parts_.steps);
      take_sample();
      if (const auto end = ended(); end) return finish(*end);
    }
  }

 private:
  void wait_until_due(int64_t due) {
    auto at = begun_ + due * options_.interval;
    if (options_.duration) at = std::min(at, begun_ + *options_.duration);
    // A loop that tells its steps faster than they are taken would have to wait for the monitor.
    while (parts_.steps != nullptr && at - SteadyClock::now() > kStepsEvery && !is_over()) {
      wait_for(SteadyClock::now() + kStepsEvery);
      take_steps(*parts_.steps);
    }
    wait_for(at);
  }

  void wait_for(SteadyClock::time_point at) {
    if (parts_.command != nullptr) {
      parts_.command->wait_until(at, stop_);
    } else {
      wait_until(at, stop_);
    }
  }

  bool is_over() const {
    return stop_.stop_requested() ||
           (parts_.command != nullptr && parts_.command->exit_code().has_value());
  }

  int64_t next_after(int64_t due) const {
    const auto past = (SteadyClock::now() - begun_) / options_.interval;
    return std::max<int64_t>(due, past) + 1;
  }

  void take_sample() {
    const Tick& tick = parts_.session.add(parts_.sampler.take());
    for (Sink* const sink : parts_.sinks) hand(*sink, tick);
    ++samples_;
  }

  // How many there were.
  std::size_t take_steps(TrainingStepSource& source) {
    const auto steps = source.take();
    for (const auto& step : steps) parts_.session.add(step);
    if (reported_of_steps_ || source.problem().empty()) return steps.size();
    reported_of_steps_ = true;
    if (parts_.warn) {
      parts_.warn("ignored some lines that are not training steps; the first: " + source.problem());
    }
    return steps.size();
  }

  void hand(Sink& sink, const Tick& tick) {
    const auto taken = sink.take(tick);
    bool& failed = failed_[&sink];
    if (taken.has_value() != failed) return;
    failed = !taken.has_value();
    if (!parts_.warn) return;
    const std::string name(sink.name());
    parts_.warn(failed ? name + ": " + base::to_string(taken.error()) : name + " works again");
  }

  std::optional<RunEnd> ended() const {
    if (parts_.command != nullptr && parts_.command->exit_code()) return RunEnd::command_ended;
    if (stop_.stop_requested()) return RunEnd::stopped;
    if (options_.pid && !base::process_exists(*options_.pid)) return RunEnd::process_gone;
    if (options_.duration && SteadyClock::now() - begun_ >= *options_.duration) {
      return RunEnd::duration;
    }
    if (options_.most_samples > 0 && samples_ >= options_.most_samples) return RunEnd::samples;
    return std::nullopt;
  }

  // The command goes on for as long as it likes; nothing is said of it any more.
  RunResult finish(RunEnd end) {
    // What was told while the last sample was taken.
    if (parts_.steps != nullptr && take_steps(*parts_.steps) > 0) take_sample();
    if (end == RunEnd::stopped && parts_.stopped) parts_.stopped();
    if (parts_.command == nullptr) return {end, std::nullopt};
    std::optional<int> code;
    while (!code) code = parts_.command->wait_until(SteadyClock::now() + std::chrono::hours(1), {});
    return {end, code};
  }

  const RunOptions& options_;
  const RunParts& parts_;
  const std::stop_token& stop_;
  SteadyClock::time_point begun_;
  int64_t samples_ = 0;
  std::map<Sink*, bool> failed_;
  bool reported_of_steps_ = false;
};

}  // namespace

RunResult run(const RunOptions& options, const RunParts& parts, const std::stop_token& stop) {
  return Loop(options, parts, stop).run();
}

}  // namespace batchscope::monitor
