#pragma once

#include "batchscope/base/log.hpp"
#include "batchscope/measure/observer.hpp"
#include "batchscope/tune/tune.hpp"

namespace batchscope::cli {

// A tuning run as it goes, on standard error: with `explain` a line a visit with its reason; else
// one that is rewritten on a terminal, and every tenth point elsewhere. Failures at once.
class TuneProgress final : public measure::Observer, public tune::TuneObserver {
 public:
  TuneProgress(const base::Log& log, bool terminal, bool explain)
      : log_(log), terminal_(terminal), explain_(explain) {}

  void on_wait(const measure::MachineCheck& look, double patience_s) override;
  void on_machine(const measure::MachineCheck& look) override;
  void on_start(const schema::RunFile& run, const measure::Progress& progress) override;
  void on_visit(const schema::Visit& visit, const measure::Progress& progress) override;
  void on_event(const schema::Event& event, const measure::Progress& progress) override;
  void on_end(const schema::End& end) override;
  void on_ask(const tune::Suggestion& ask, const schema::RunConfig& config,
              const tune::Search& search) override;
  void on_verify(const std::vector<schema::RunConfig>& configs) override;

 private:
  void clear_line();

  const base::Log& log_;
  bool terminal_;
  bool explain_;
  bool line_open_ = false;
  const schema::RunFile* run_ = nullptr;
  std::string active_;
  int visits_ = 0;
};

}  // namespace batchscope::cli
