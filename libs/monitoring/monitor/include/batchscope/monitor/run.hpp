#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/monitor/sampler.hpp"
#include "batchscope/monitor/session.hpp"
#include "batchscope/monitor/watched_command.hpp"

namespace batchscope::monitor {

// Where steps come from that training loops tell of; see stepfeed::StepFeed.
class TrainingStepSource {
 public:
  virtual ~TrainingStepSource() = default;
  // What has come since the call before; never waits.
  virtual std::vector<telemetry::TrainingStep> take() = 0;
  // The first thing that came and was no step; empty: there was none.
  virtual std::string problem() const { return {}; }
};

struct RunOptions {
  base::Nanoseconds interval{std::chrono::seconds{1}};  // between samples
  std::optional<base::Nanoseconds> duration{};  // else until stopped, or what is watched ends
  std::optional<int> pid{};                     // ends when that process has ended
  int64_t most_samples = 0;                     // 0: any number
};

// What a run is put together from; all but the first two may be absent.
struct RunParts {
  MonitorSession& session;
  Sampler& sampler;
  TrainingStepSource* steps = nullptr;
  WatchedCommand* command = nullptr;
  std::vector<Sink*> sinks{};
  // Told once of a sink that fails, and once that it works again.
  std::function<void(const std::string& line)> warn{};
  // Called where a stop was asked for, before the command is waited for.
  std::function<void()> stopped{};
};

enum class RunEnd { stopped, duration, samples, process_gone, command_ended };

struct RunResult {
  RunEnd end = RunEnd::stopped;
  std::optional<int> exit_code{};  // of the command
};

// Takes a sample at once and then one an interval, at even times: where one takes longer than that,
// those that are missed are left out. A command that is watched is waited for, also when a stop is
// asked for: whoever asked has told it, too.
RunResult run(const RunOptions& options, const RunParts& parts, const std::stop_token& stop);

}  // namespace batchscope::monitor
