#include "batchscope/api/doctor.hpp"
#include "batchscope/report/machine.hpp"
#include "calibration.hpp"
#include "command.hpp"
#include "install_paths.hpp"
#include "output.hpp"

namespace batchscope::cli {

int doctor_verb(const std::vector<std::string>& arguments) {
  bool calibrate = false;
  Format format = Format::text;
  api::CalibrationOptions flags;
  Command command(
      "doctor", "Show what works on this machine, what disturbs measurements, and how to fix it.");
  command.app().add_flag("--calibrate", calibrate,
                         "measure a model against itself, and print the smallest difference that "
                         "this machine can detect");
  add_format(command.app(), format, {Format::text, Format::json}, "text or json");
  add_flags(command.app(), flags);
  int exit = kDone;
  if (!command.parse(arguments, exit)) return exit;

  const base::Log log = make_log();
  if (calibrate) return run_calibration(flags, format, log);
  const std::vector<doctor::Check> checks = api::doctor(this_program());
  const auto written = write_output(
      {}, format == Format::json ? report::checks_json(checks) : report::checks_text(checks));
  return written ? static_cast<int>(kDone) : fail(log, written.error());
}

}  // namespace batchscope::cli
