#include "calibration.hpp"

#include <unistd.h>

#include "batchscope/base/terminal.hpp"
#include "batchscope/report/machine.hpp"
#include "command.hpp"
#include "install_paths.hpp"
#include "output.hpp"
#include "progress/progress.hpp"

namespace batchscope::cli {

void add_flags(CLI::App& app, api::CalibrationOptions& flags) {
  app.add_option("-m,--model", flags.model, "model for --calibrate (default distilbert)");
  app.add_option("-b,--batch-size", flags.batch_size, "batch size for --calibrate (default 1)")
      ->check(CLI::Range(1, 1'000'000));
  app.add_option("--seq-len", flags.seq_len, "sequence length for --calibrate (default 64)")
      ->check(CLI::Range(1, 1'000'000));
  app.add_option("--blocks", flags.blocks, "blocks for --calibrate (default 12)")
      ->check(CLI::Range(6, 1000));
  app.add_option("--experiments", flags.experiments,
                 "simulated experiments per difference (default 100)")
      ->check(CLI::Range(10, 100'000));
}

int run_calibration(const api::CalibrationOptions& options, Format format, const base::Log& log) {
  Interrupt interrupt(log);
  ProgressPrinter progress(log, base::rewrites_lines(STDERR_FILENO));
  const auto done = api::calibrate(this_program(interrupt), options, &progress);
  if (!done) return fail(log, done.error());
  const auto written = write_output({}, format == Format::json ? report::calibration_json(*done)
                                                               : report::calibration_text(*done));
  return written ? static_cast<int>(kDone) : fail(log, written.error());
}

}  // namespace batchscope::cli
