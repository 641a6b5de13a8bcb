#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/monitor/outputs.hpp"
#include "batchscope/monitor/run.hpp"
#include "batchscope/monitor/sampler.hpp"
#include "batchscope/monitor/totals.hpp"

namespace batchscope::monitor {

struct LiveOptions {
  OutputOptions outputs{};
  MonitorOptions rules{};
  RunOptions run{};
  // A file that grows (one that is there, or is called .jsonl, .json, .log, .csv or .txt), or where
  // a Unix socket is to be made; see stepfeed::StepFeed.
  std::filesystem::path steps{};
  std::vector<std::string> command{};  // started and watched
};

// This machine, watched: all parts of it, from the options of a verb.
class Live {
 public:
  // The command runs when this returns. Errors: those of Outputs, stepfeed::StepFeed and
  // WatchedCommand.
  static base::Result<std::unique_ptr<Live>> open(LiveOptions options);
  ~Live();

  std::string address() const;                // of the metrics server; empty: none
  std::vector<std::string> warnings() const;  // what is unsafe in it

  // `more`: sinks beside the outputs. `warn`: as RunParts has it. `signal`: what the command is
  // sent where a stop was asked for; 0: nothing, it knows.
  RunResult run(const std::stop_token& stop, const std::vector<Sink*>& more,
                const std::function<void(const std::string& line)>& warn,
                const std::function<int()>& signal);

  const MonitorSession& session() const;
  MonitorSummary summary() const;

 private:
  struct State;
  explicit Live(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace batchscope::monitor
