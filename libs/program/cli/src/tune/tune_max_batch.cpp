#include <fmt/format.h>

#include "batchscope/capacity/max_batch_result.hpp"
#include "batchscope/report/max_batch.hpp"
#include "batchscope/schema/device_name.hpp"
#include "command.hpp"
#include "install_paths.hpp"
#include "measuring/run_file.hpp"
#include "shell_commands.hpp"
#include "tune_modes.hpp"

namespace batchscope::cli {
namespace {

using base::ErrorKind;

constexpr std::string_view kMaxBatchOutput = "max-batch.jsonl";

// Each try as it ends, with `explain` also why it is made.
class MaxBatchProgress final : public capacity::MaxBatchObserver {
 public:
  MaxBatchProgress(const base::Log& log, bool explain) : log_(log), explain_(explain) {}

  void on_config(const schema::RunConfig& config) override {
    log_.info(schema::describe(schema::without_batch_size(config)));
  }
  void on_ask(const capacity::ProbeAsk& ask) override {
    if (explain_) log_.info(fmt::format("batch {}: {}", ask.batch_size, ask.reason));
  }
  void on_probe(const schema::Probe& probe) override {
    std::string line =
        fmt::format("{} {}: {}", probe.purpose.text(), probe.batch_size, probe.outcome.text());
    if (probe.peak_bytes) line += ", peak " + capacity::peak_words(probe);
    if (!probe.message.empty()) line += ", " + probe.message;
    log_.info(line);
  }
  void on_warning(const std::string& text) override { log_.warning(text); }

 private:
  const base::Log& log_;
  bool explain_;
};

// The limit of a device is its memory: no flag raises that.
std::string fix_where_none_fits(const schema::RunConfig& config) {
  const std::string smaller = "make the work smaller: --seq-lens, --precision, --checkpointing on";
  return schema::is_accelerator(config.device) ? smaller : "raise --memory-limit, or " + smaller;
}

int show(const api::LargestBatch& made, const TuneFlags& flags, const base::Log& log) {
  const capacity::MaxBatchResult result =
      capacity::max_batch_result(made.run, made.plan, shell_commands());
  for (const std::string& warning : result.warnings) log.warning(warning);
  const Format format = flags.profile.format;
  const std::string text =
      format == Format::json
          ? report::max_batch_json(result)
          : report::max_batch_text(result, text_options({}, flags.profile.brief));
  if (auto written = write_output({}, text, look_of(format)); !written) {
    return fail(log, written.error());
  }
  for (const capacity::FoundBatch& found : result.found) {
    if (found.largest > 0) return kDone;
  }
  const capacity::FoundBatch& first = result.found.front();
  return fail(log, {ErrorKind::failed, capacity::why_none_fits(first, result.plan),
                    schema::describe(schema::without_batch_size(first.config)),
                    fix_where_none_fits(first.config)});
}

}  // namespace

int tune_max_batch(TuneFlags flags, const std::vector<std::string>& arguments,
                   const base::Log& log) {
  const auto& path = flags.profile.output.path;
  if (auto chosen = choose_run_file(flags.profile.output, kMaxBatchOutput); !chosen) {
    return fail(log, chosen.error());
  }
  const auto options = read_largest_batch_options(flags, command_line_of("tune", arguments));
  if (!options) return fail(log, options.error());
  Interrupt interrupt(log);
  api::Program program =
      with_interpreter(telling(this_program(interrupt), log), flags.profile.python);
  if (!flags.ceilings.empty()) program.ceilings = flags.ceilings;
  MaxBatchProgress progress(log, flags.explain);
  const auto made = api::largest_batch(program, *options, &progress);
  if (!made) return fail(log, made.error());
  if (made->was_complete) log.info(fmt::format("{} is complete", path.string()));
  if (!made->was_interrupted()) return show(*made, flags, log);
  warn_of_interruption(*made, path, log);
  return kInterrupted;
}

}  // namespace batchscope::cli
