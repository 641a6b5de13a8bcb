#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "batchscope/api/doctor.hpp"
#include "batchscope/schema/json.hpp"
#include "calibration.hpp"
#include "command.hpp"
#include "output.hpp"
#include "places.hpp"

namespace batchscope::cli {
namespace {

using doctor::Check;

std::string as_text(const std::vector<Check>& checks) {
  std::string text = doctor::doctor_answer(checks) + "\n";
  for (const Check& check : checks) {
    text +=
        fmt::format("{:<8} {:<20} {}\n", doctor::to_string(check.status), check.where, check.value);
    if (!check.what.empty()) text += fmt::format("{:30}{}\n", "", check.what);
    if (!check.fix.empty()) text += fmt::format("{:30}-> {}\n", "", check.fix);
  }
  return text;
}

std::string as_json(const std::vector<Check>& checks) {
  nlohmann::json list = nlohmann::json::array();
  for (const Check& check : checks) {
    list.push_back({{"name", check.where},
                    {"status", doctor::to_string(check.status)},
                    {"value", check.value},
                    {"explanation", check.what},
                    {"fix", check.fix}});
  }
  return schema::dump(nlohmann::json{{"schema_version", 1}, {"checks", list}}) + "\n";
}

}  // namespace

int doctor_verb(const std::vector<std::string>& arguments) {
  bool calibrate = false;
  Format format = Format::text;
  api::CalibrationOptions flags;
  Command command(
      "doctor",
      "What works on this machine, what disturbs measurements, and how to get what is missing.");
  command.app().add_flag(
      "--calibrate", calibrate,
      "measure a model against itself, and print the smallest difference this machine can show");
  add_format(command.app(), format, {Format::text, Format::json}, "text or json");
  add_flags(command.app(), flags);
  int exit = kDone;
  if (!command.parse(arguments, exit)) return exit;

  const base::Log log = make_log();
  if (calibrate) return run_calibration(flags, format, log);
  const std::vector<Check> checks = api::doctor(this_program());
  const auto written = write_output({}, format == Format::json ? as_json(checks) : as_text(checks));
  return written ? static_cast<int>(kDone) : fail(log, written.error());
}

}  // namespace batchscope::cli
