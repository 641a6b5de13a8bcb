#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/monitor/profile_schedule.hpp"
#include "batchscope/monitor/session.hpp"

namespace batchscope::monitor {

// What a training loop is told of, and where that goes. Everything is optional.
struct TrainingMonitorOptions {
  std::string name{};                   // of the loop, where several are watched
  std::filesystem::path log{};          // .jsonl; `batchscope report` makes a page of it
  bool overwrite = false;               // the log, if it exists
  std::filesystem::path tensorboard{};  // folder of event files
  std::string prometheus{};             // "127.0.0.1:9430", or port 0 for a free one
  std::filesystem::path web_config{};   // TLS and users of that server
  base::Nanoseconds interval{std::chrono::seconds{1}};  // between samples of the machine
  std::string nvml_library = "libnvidia-ml.so.1";
  std::string tool_version{};  // for the log
  MonitorOptions rules{};
  ProfileRules profile{};
  // Begin and end of a profile, called inside of log_step, between two steps. `end_profile` names
  // the file that it left, which the log then mentions; both may be empty.
  std::function<void()> begin_profile{};
  std::function<std::string()> end_profile{};
  // Told of what was raised or ended, and of sinks that fail; called on a thread of the monitor's.
  std::function<void(const watch::ActiveFinding& change)> on_change{};
  std::function<void(const std::string& line)> warn{};
};

// A step that was made. What is not known stays absent.
struct LoggedStep {
  int64_t step = 0;
  double seconds = 0;  // wall time, the wait for its batch included
  std::optional<double> loss{};
  std::optional<double> learning_rate{};
  std::optional<int64_t> batch_size{};      // samples
  std::optional<double> loading_seconds{};  // of `seconds`, waiting for its batch
};

// Watches a training loop from inside: its steps, the machine, and what is wrong with either.
// log_step() copies the step and leaves the rest to a thread of the monitor's. All of it may be
// called from any thread.
class TrainingMonitor {
 public:
  // Errors: usage (the log exists), failed (an output cannot be written, the address is taken).
  static base::Result<std::unique_ptr<TrainingMonitor>> start(TrainingMonitorOptions options);
  ~TrainingMonitor();  // as close()

  // Seconds that beginning or ending a profile took meanwhile, which are no part of any step: take
  // them off where the time of the next step is counted from before this call.
  double log_step(const LoggedStep& step);
  double log_step(int64_t step, double loss, double learning_rate, int64_t batch_size,
                  double seconds);

  // Takes a last sample, writes what has come, and ends. Nothing is taken after it. Called by
  // on_change, it does so once that has returned; a later call waits for it.
  void close();

  std::vector<watch::ActiveFinding> active() const;  // at the last sample
  std::vector<watch::ActiveFinding> all() const;     // that ever stood
  std::string address() const;  // "http://127.0.0.1:9430"; empty without a server
  double profile_overhead() const;
  int64_t dropped_steps() const;  // that came faster than they could be written

 private:
  struct State;
  explicit TrainingMonitor(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace batchscope::monitor
