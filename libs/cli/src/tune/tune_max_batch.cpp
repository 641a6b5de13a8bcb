#include <fmt/format.h>

#include "batchscope/base/file.hpp"
#include "batchscope/schema/device_name.hpp"
#include "command.hpp"
#include "interrupt.hpp"
#include "max_batch_setup.hpp"
#include "measuring/executors.hpp"
#include "measuring/measured_run.hpp"
#include "measuring/run_file.hpp"
#include "recorded/max_batch_results.hpp"
#include "subject_flags.hpp"
#include "tune_modes.hpp"

namespace batchscope::cli {
namespace {

using base::ErrorKind;
using base::Result;

constexpr std::string_view kDefaultOutput = "max-batch.jsonl";

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

int finish(const MaxBatchSetup& setup, const TuneFlags& flags, const base::Log& log) {
  const MaxBatchResult result = max_batch_result(setup.run, setup.plan);
  for (const std::string& warning : result.warnings) log.warning(warning);
  const auto render = flags.profile.format == Format::json ? max_batch_json : max_batch_text;
  if (auto written = write_output({}, render(result)); !written) return fail(log, written.error());
  for (const capacity::FoundBatch& found : result.found) {
    if (found.largest > 0) return kDone;
  }
  const capacity::FoundBatch& first = result.found.front();
  return fail(log, {ErrorKind::failed, why_none_fits(first, result.plan),
                    schema::describe(schema::without_batch_size(first.config)),
                    fix_where_none_fits(first.config)});
}

Result<capacity::Ceilings> open_ceilings(const TuneFlags& flags, const MaxBatchSetup& setup) {
  auto path = flags.ceilings.empty() ? capacity::default_ceilings_file() : flags.ceilings;
  auto ceilings = capacity::Ceilings::open(std::move(path));
  if (!ceilings || !flags.forget_ceilings) return ceilings;
  for (const schema::RunConfig& config : setup.run.configs) {
    const auto forgotten = ceilings->forget(capacity::ceiling_key(setup.run.header, config));
    if (!forgotten) return forgotten.error();
  }
  return ceilings;
}

int search_and_print(MaxBatchSetup& setup, const TuneFlags& flags, measure::RunOutput& output,
                     const base::Log& log) {
  const Interrupt interrupt;
  if (setup.run.probes.empty()) {
    auto tried = try_models(setup.job, interrupt.token());
    if (!tried) return fail(log, tried.error());
  }
  auto ceilings = open_ceilings(flags, setup);
  if (!ceilings) return fail(log, ceilings.error());
  auto opened = output.sink(setup.run.report.valid_bytes);
  if (!opened) return fail(log, opened.error());
  const auto sink = *std::move(opened);
  MaxBatchProgress progress(log, flags.explain);
  const auto executor = [&](std::optional<int64_t> limit_bytes, double timeout_s) {
    schema::MeasurementPlan plan = setup.run.header.plan;
    plan.memory_limit_bytes = limit_bytes;
    plan.timeout_s = timeout_s;
    return make_executor(plan, nullptr);
  };
  const auto kills = [] { return device::read_oom_kills(base::SystemRoot()); };
  const capacity::MaxBatchCollaborators with{executor,          *sink,  *ceilings, kills, &progress,
                                             interrupt.token(), flag_of};
  auto done = capacity::find_max_batches(setup.job, setup.plan, with, setup.run);
  output.keep(setup.run);
  if (!done) return fail(log, done.error());
  if (setup.run.end->reason != schema::EndReason::interrupted) return finish(setup, flags, log);
  warn_of_interruption(setup.run, output, flags.profile.output.path, log);
  return kInterrupted;
}

}  // namespace

int tune_max_batch(TuneFlags flags, const std::vector<std::string>& arguments,
                   const base::Log& log) {
  Output& named = flags.profile.output;
  const bool goes_on = flags.profile.resume;
  if (auto chosen = choose_run_file(named, kDefaultOutput); !chosen) {
    return fail(log, chosen.error());
  }
  auto output = take_run_file(named, goes_on);
  if (!output && !can_only_be_read(named, goes_on)) return fail(log, output.error());
  auto setup = set_up_max_batch(flags, arguments);
  if (!setup) return fail(log, setup.error());
  if (setup->run.end && setup->run.end->reason == schema::EndReason::search_done) {
    log.info(fmt::format("{} is complete", named.path.string()));
    return finish(*setup, flags, log);
  }
  if (!output) return fail(log, output.error());
  return search_and_print(*setup, flags, *output, log);
}

}  // namespace batchscope::cli
