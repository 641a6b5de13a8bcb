#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "batchscope/monitor/outputs.hpp"
#include "batchscope/monitor/run.hpp"
#include "batchscope/monitor/sampler.hpp"
#include "batchscope/monitor/training_monitor.hpp"
#include "step_queue.hpp"

namespace batchscope::monitor {

// What a training monitor owns, and its thread.
struct TrainingMonitor::State : TrainingStepSource {
  explicit State(TrainingMonitorOptions of);

  base::Result<void> open();
  void begin();
  void end();
  void warn_once(const std::string& line);  // of what is told wrong
  // After a step, which is told whether it was profiled, and the file that a profile left. Seconds
  // that beginning or ending one took.
  double profile(telemetry::TrainingStep& step);

  std::vector<telemetry::TrainingStep> take() override { return queue.take(); }
  std::vector<watch::ActiveFinding> active() const;
  std::vector<watch::ActiveFinding> all() const;

  TrainingMonitorOptions options;
  std::shared_ptr<base::WaitableClock> clock;
  StepQueue queue;
  Outputs outputs;

  mutable std::mutex profile_mutex;
  ProfileSchedule schedule;

 private:
  void run(const std::stop_token& stop);
  void take_note(const Tick& tick);

  std::unique_ptr<Sampler> sampler_;
  mutable std::mutex session_mutex_;
  MonitorSession session_;
  std::vector<watch::ActiveFinding> active_, all_;
  std::atomic<bool> warned_ = false;
  std::jthread thread_;
};

}  // namespace batchscope::monitor
