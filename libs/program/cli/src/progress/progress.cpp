#include "progress/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "batchscope/base/counted.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/findings/wording.hpp"
#include "batchscope/tables/axes.hpp"
#include "batchscope/timing/steady_visit.hpp"

namespace batchscope::cli {
namespace {

std::string seconds(double value) {
  return base::format_duration(
      std::chrono::duration_cast<base::Nanoseconds>(std::chrono::duration<double>(value)));
}

// The contrast that is known least well: what the run still works on.
std::string widths_so_far(std::span<const measure::ConfigEstimate> estimates) {
  double widest = 0;
  for (const measure::ConfigEstimate& estimate : estimates)
    widest = std::max(widest, estimate.half_width.value_or(0));
  // Wider than this is no figure to read anything into.
  return widest > 0 && widest < 1
             ? ", contrasts within \u00b1" + findings::percent(std::expm1(widest))
             : "";
}

}  // namespace

std::string place_in(const schema::RunFile* run, const schema::Event& event) {
  if (run == nullptr || !event.where.config) return "";
  const auto index = static_cast<std::size_t>(*event.where.config);
  return index < run->configs.size() ? tables::what_differs(run->configs[index], run->configs) : "";
}

void tell_wait(const measure::MachineCheck& look, double patience_s, const base::Log& log) {
  log.info(fmt::format("{}; waiting up to {} for a quiet machine", measure::in_words(look),
                       seconds(patience_s)));
}

void tell_machine(const measure::MachineCheck& look, const base::Log& log) {
  const bool waited = look.waited_s > 0;
  std::string line = measure::in_words(look);
  if (waited) line += fmt::format(", after {} of waiting", seconds(look.waited_s));
  if (look.is_quiet()) return log.info(line);
  const std::string advice = " (--wait-for-quiet 60s waits for a quiet machine)";
  log.warning(line + "; measuring anyway" + (waited ? "" : advice));
}

std::string ProgressPrinter::active(const measure::Progress& progress) const {
  std::string line =
      fmt::format("block {}/{}", std::min(progress.block + 1, progress.blocks), progress.blocks);
  line += fmt::format(", {} elapsed", seconds(progress.spent_s));
  if (progress.left_s && *progress.left_s > 0.5)
    line += fmt::format(", about {} left", seconds(*progress.left_s));
  return line;
}

void ProgressPrinter::on_wait(const measure::MachineCheck& look, double patience_s) {
  tell_wait(look, patience_s, log_);
}

void ProgressPrinter::on_machine(const measure::MachineCheck& look) {
  tell_machine(look, log_);
}

void ProgressPrinter::on_start(const schema::RunFile& run, const measure::Progress& progress) {
  run_ = &run;
  log_.info(fmt::format("{}, {}, seed {}; isolation {}, sync {}",
                        base::counted(run.configs.size(), "configuration"),
                        base::counted(progress.blocks, "block"), run.header.seed,
                        run.header.plan.isolation.text(), run.header.plan.sync.text()));
}

void ProgressPrinter::on_visit(const schema::Visit& visit, const measure::Progress& progress) {
  if (!terminal_ || log_.level() == base::LogLevel::quiet || visit.samples_ns.empty()) return;
  // All that the run shows of warm-up is not looked through at every visit.
  const double typical_ms = timing::typical_ns(timing::warm(visit, {})) / 1e6;
  const schema::RunConfig& config = run_->configs[static_cast<size_t>(visit.config)];
  rewrite(fmt::format("{}: {}/{} visits; {} {:.4g} ms", active(progress), progress.visits,
                      progress.block_visits, tables::what_differs(config, run_->configs),
                      typical_ms));
}

void ProgressPrinter::on_event(const schema::Event& event, const measure::Progress&) {
  clear_line();
  log_.warning(base::in_one_line(place_in(run_, event), schema::in_words(event), event.fix));
}

void ProgressPrinter::on_block(std::span<const measure::ConfigEstimate> estimates,
                               const measure::Progress& progress) {
  estimates_.assign(estimates.begin(), estimates.end());
  if (terminal_) return;
  log_.info(active(progress) + widths_so_far(estimates));
}

void ProgressPrinter::on_end(const schema::End&) {
  clear_line();
}

void ProgressPrinter::rewrite(const std::string& line) {
  fmt::print(stderr, "\r\x1b[K{}", base::visible(line));
  std::fflush(stderr);
  line_open_ = true;
}

void ProgressPrinter::clear_line() {
  if (line_open_) fmt::print(stderr, "\r\x1b[K");
  line_open_ = false;
}

}  // namespace batchscope::cli
