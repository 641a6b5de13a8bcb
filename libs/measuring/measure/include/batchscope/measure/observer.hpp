#pragma once

#include <optional>
#include <span>

#include "batchscope/findings/finding.hpp"
#include "batchscope/schema/run_file.hpp"

namespace batchscope::measure {

// How far a run is. Times in seconds of wall time (virtual time where the engine's clock is).
struct Progress {
  int block = 0;                 // the one that is running, or was the last to run; from 0
  int blocks = 0;                // planned: the pilot, then with its extension
  int visits = 0;                // made in this block, failures included
  int block_visits = 0;          // this block's visits in all
  double spent_s = 0;            // with what was spent before a resume
  std::optional<double> left_s;  // an estimate; absent before the first visit is over
};

// What is known of one configuration so far.
struct ConfigEstimate {
  int config = 0;
  int n = 0;                         // visits that count
  findings::Estimate time_ms;        // geometric mean of the visits' medians, 95 % interval
  findings::Estimate mean_ms;        // of their mean iterations: what throughput is of
  std::optional<double> half_width;  // of its contrast against its group's smallest batch size, ln
};

struct MachineCheck;

// Told of everything as it happens, after it is durable.
class Observer {
 public:
  virtual ~Observer() = default;
  // Before anything is measured: it waits, at most `patience_s`, for a machine that is not quiet.
  virtual void on_wait(const MachineCheck&, double /*patience_s*/) {}
  // How the machine is when the run begins.
  virtual void on_machine(const MachineCheck&) {}
  virtual void on_start(const schema::RunFile&, const Progress&) {}
  virtual void on_visit(const schema::Visit&, const Progress&) {}
  virtual void on_event(const schema::Event&, const Progress&) {}
  virtual void on_block(std::span<const ConfigEstimate>, const Progress&) {}
  virtual void on_end(const schema::End&) {}
};

}  // namespace batchscope::measure
