#include "progress/tune_progress.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/counted.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/tables/axes.hpp"
#include "progress/progress.hpp"

namespace batchscope::cli {
namespace {

constexpr int kVisitsALine = 20;  // where nothing can be rewritten

std::string duration(double value) {
  return base::format_duration(
      std::chrono::duration_cast<base::Nanoseconds>(std::chrono::duration<double>(value)));
}

}  // namespace

void TuneProgress::on_wait(const measure::MachineCheck& look, double patience_s) {
  tell_wait(look, patience_s, log_);
}

void TuneProgress::on_machine(const measure::MachineCheck& look) {
  tell_machine(look, log_);
}

void TuneProgress::on_start(const schema::RunFile& run, const measure::Progress&) {
  run_ = &run;
  log_.info(fmt::format("{} to choose from, within {}, seed {}",
                        base::counted(run.header.configurations, "point"),
                        duration(run.header.plan.budget_s), run.header.seed));
}

void TuneProgress::on_ask(const tune::Suggestion& ask, const schema::RunConfig& config,
                          const tune::Search& search) {
  const auto estimates = search.estimates();
  active_ = fmt::format("{} of {}", search.points_measured(),
                        base::counted(search.grid().size(), "point"));
  if (!estimates.empty()) {
    active_ +=
        fmt::format("; best so far {:.4g} samples/s, {}", estimates.front().rate,
                    tables::what_differs(search.grid()[estimates.front().point], search.grid()));
  }
  if (!explain_) return;
  clear_line();
  log_.info(fmt::format("{}: {}: {}", to_string(ask.stage),
                        tables::what_differs(config, search.grid()), ask.reason));
}

void TuneProgress::on_verify(const std::vector<schema::RunConfig>& configs) {
  clear_line();
  const auto words = base::mapped(
      configs, [&](const schema::RunConfig& each) { return tables::what_differs(each, configs); });
  active_ = "fresh visits";
  log_.info(
      fmt::format("measuring again, side by side, in fresh processes: {}", fmt::join(words, "; ")));
}

void TuneProgress::on_visit(const schema::Visit&, const measure::Progress& progress) {
  ++visits_;
  if (log_.level() == base::LogLevel::quiet) return;
  const std::string line = fmt::format("{}, {} elapsed; {}", base::counted(visits_, "visit"),
                                       duration(progress.spent_s), active_);
  if (terminal_) {
    fmt::print(stderr, "\r\x1b[K{}", base::visible(line));
    std::fflush(stderr);
    line_open_ = true;
  } else if (visits_ % kVisitsALine == 0) {
    log_.info(line);
  }
}

void TuneProgress::on_event(const schema::Event& event, const measure::Progress&) {
  clear_line();
  log_.warning(base::in_one_line(place_in(run_, event), schema::in_words(event), event.fix));
}

void TuneProgress::on_end(const schema::End&) {
  clear_line();
}

void TuneProgress::clear_line() {
  if (line_open_) fmt::print(stderr, "\r\x1b[K");
  line_open_ = false;
}

}  // namespace batchscope::cli
