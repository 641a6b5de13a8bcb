#include "training_state.hpp"

#include <unistd.h>

#include <utility>

namespace batchscope::monitor {
namespace {

// Shows what was raised or ended to whoever asked, and keeps what stands for those who ask later.
class ReportedSink : public Sink {
 public:
  explicit ReportedSink(std::function<void(const Tick&)> tell) : tell_(std::move(tell)) {}
  std::string_view name() const override { return "the findings"; }
  base::Result<void> take(const Tick& tick) override {
    tell_(tick);
    return {};
  }

 private:
  std::function<void(const Tick&)> tell_;
};

}  // namespace

TrainingMonitor::State::State(TrainingMonitorOptions of)
    : options(std::move(of)),
      clock(base::steady_epoch_clock()),
      schedule(options.profile),
      session_(options.rules) {
  SamplerOptions sampled;
  sampled.nvml_library = options.nvml_library;
  sampled.interval = options.interval;
  sampled.pid = static_cast<int>(::getpid());
  sampler_ = open_sampler(sampled, clock);
}

base::Result<void> TrainingMonitor::State::open() {
  OutputOptions wanted;
  wanted.log = options.log;
  wanted.overwrite = options.overwrite;
  wanted.tensorboard = options.tensorboard;
  wanted.prometheus = options.prometheus;
  wanted.web_config = options.web_config;
  wanted.interval = options.interval;
  wanted.tool_version = options.tool_version;
  wanted.rules = options.rules;
  auto opened = Outputs::open(wanted, clock->now_ns());
  if (!opened) return std::move(opened).error();
  outputs = *std::move(opened);
  return {};
}

void TrainingMonitor::State::begin() {
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

void TrainingMonitor::State::take_note(const Tick& tick) {
  {
    const std::lock_guard lock(session_mutex_);
    active_ = tick.active;
    if (!tick.changes.empty()) all_ = session_.all();
  }
  if (!options.on_change) return;
  for (const auto& change : tick.changes) options.on_change(change);
}

void TrainingMonitor::State::run(const std::stop_token& stop) {
  ReportedSink reported([this](const Tick& tick) { take_note(tick); });
  RunOptions how;
  how.interval = options.interval;
  RunParts parts{session_, *sampler_, this, nullptr, outputs.sinks(), {}, {}};
  parts.sinks.push_back(&reported);
  parts.warn = [this](const std::string& line) {
    if (options.warn) options.warn(line);
  };
  monitor::run(how, parts, stop);
}

void TrainingMonitor::State::end() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  // A callback that closes the monitor runs on its thread.
  if (thread_.get_id() == std::this_thread::get_id()) return;
  thread_.join();
}

std::vector<watch::ActiveFinding> TrainingMonitor::State::active() const {
  const std::lock_guard lock(session_mutex_);
  return active_;
}

std::vector<watch::ActiveFinding> TrainingMonitor::State::all() const {
  const std::lock_guard lock(session_mutex_);
  return all_;
}

}  // namespace batchscope::monitor
