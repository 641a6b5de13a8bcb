#pragma once

#include <span>
#include <string>
#include <vector>

#include "batchscope/base/log.hpp"
#include "batchscope/measure/observer.hpp"
#include "batchscope/measure/quiet.hpp"

namespace batchscope::cli {

// How the machine is before a run, on standard error: that a quieter one is waited for, and what
// it is measured as.
void tell_wait(const measure::MachineCheck& look, double patience_s, const base::Log& log);
void tell_machine(const measure::MachineCheck& look, const base::Log& log);

// Which of the run's configurations the event is about, by what tells it from the others: "batch 8,
// 2 instances". Empty: none, or the run has not begun (null).
std::string place_in(const schema::RunFile* run, const schema::Event& event);

// How a run is going, on standard error: one line that is rewritten on a terminal, a plain line a
// block elsewhere, nothing when quiet. Failures are told at once either way. Remembers the latest
// estimates.
class ProgressPrinter final : public measure::Observer {
 public:
  ProgressPrinter(const base::Log& log, bool terminal) : log_(log), terminal_(terminal) {}

  void on_wait(const measure::MachineCheck& look, double patience_s) override;
  void on_machine(const measure::MachineCheck& look) override;
  void on_start(const schema::RunFile& run, const measure::Progress& progress) override;
  void on_visit(const schema::Visit& visit, const measure::Progress& progress) override;
  void on_event(const schema::Event& event, const measure::Progress& progress) override;
  void on_block(std::span<const measure::ConfigEstimate> estimates,
                const measure::Progress& progress) override;
  void on_end(const schema::End& end) override;

  const std::vector<measure::ConfigEstimate>& estimates() const { return estimates_; }

 private:
  void rewrite(const std::string& line);
  void clear_line();
  std::string active(const measure::Progress& progress) const;

  const base::Log& log_;
  bool terminal_;
  bool line_open_ = false;
  const schema::RunFile* run_ = nullptr;
  std::vector<measure::ConfigEstimate> estimates_;
};

}  // namespace batchscope::cli
