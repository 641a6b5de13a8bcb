#include "profile_flags.hpp"

#include <array>

#include "axis_flags.hpp"
#include "batchscope/api/measure_options.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/findings/diagnosis_part.hpp"
#include "batchscope/schema/tables.hpp"
#include "install_paths.hpp"

namespace batchscope::cli {

namespace {

void add_group(CLI::App& app, std::string_view heading, ProfileFlags& flags) {
  add_settings(app, schema::table_of<schema::MeasurementPlan>(), &schema::Setting::profile, heading,
               flags.settings);
}

void add_measuring(CLI::App& app, ProfileFlags& flags) {
  const std::string group(schema::kHowToMeasure);
  add_group(app, group, flags);
  add_wait_for_quiet(app, flags)->group(group);
  app.add_option("--seed", flags.seed, "seed of orders, weights and inputs")
      ->check(CLI::NonNegativeNumber)
      ->group(group);
}

void add_diagnosis(CLI::App& app, ProfileFlags& flags) {
  const std::string group(schema::kFindingOut);
  CLI::Option* const only =
      app.add_option("--only", flags.only, "only these parts of the diagnosis (with --diagnose)")
          ->delimiter(',')
          ->check(CLI::IsMember(findings::names_of_diagnosis_parts()))
          ->group(group);
  add_group(app, group, flags);
  only->needs("--diagnose");
}

void add_output(CLI::App& app, ProfileFlags& flags) {
  app.add_option("-o,--output", flags.output.path, "the run file (default batch_profile.jsonl)")
      ->group("Output");
  add_on_existing(app, flags, "Output");
  app.add_flag("--force", flags.force,
               "resume even on another machine or model (recorded in the run file)")
      ->group("Output");
  app.add_flag("--dry-run", flags.dry_run, "print the plan and its estimated time; measure nothing")
      ->group("Output");
  add_format(app, flags.format, {Format::text, Format::json}, "output format")->group("Output");
  app.add_flag("--brief", flags.brief, "print the answer alone (text)")->group("Output");
  app.add_flag("--strict", flags.strict, "exit 4 if the target precision was not reached")
      ->group("Output");
  app.add_flag("-q,--quiet", flags.quiet, "print no progress")->group("Output");
}

}  // namespace

void add_on_existing(CLI::App& app, ProfileFlags& flags, const std::string& group) {
  const auto in_a_file = [](const std::string&) {
    throw CLI::ValidationError("--on-existing",
                               "in a file of flags write resume = true or overwrite = true");
  };
  app.add_option_function<std::string>("--on-existing", in_a_file,
                                       "where the run file exists: fail (default), resume the "
                                       "interrupted run in it, or overwrite it")
      ->type_name("fail|resume|overwrite")
      ->group(group);
  app.add_flag("--resume", flags.resume, "--on-existing resume")->group(group);
  if (app.get_option_no_throw("--overwrite") != nullptr) return;
  app.add_flag("--overwrite", flags.output.overwrite, "--on-existing overwrite")->group(group);
}

CLI::Option* add_wait_for_quiet(CLI::App& app, ProfileFlags& flags) {
  return app.add_option(
      "--wait-for-quiet", flags.wait_for_quiet,
      "if the machine is busy, wait at most this long, such as 60s, then measure anyway");
}

void tie_flags(CLI::App& app) {
  constexpr std::array<std::array<const char*, 2>, 4> kOneOf = {
      {{"--resume", "--overwrite"},
       {"--iterations", "--min-visit-time"},
       {"--blocks", "--target"},
       {"--accumulation", "--effective-batch"}}};
  for (const auto& [one, other] : kOneOf) {
    if (app.get_option_no_throw(other) == nullptr) continue;
    if (CLI::Option* const option = app.get_option_no_throw(one)) option->excludes(other);
  }
  if (CLI::Option* const force = app.get_option_no_throw("--force")) force->needs("--resume");
  tie_settings(app, schema::table_of<schema::MeasurementPlan>());
}

void add_measuring_flags(CLI::App& app, ProfileFlags& flags) {
  add_axes(app, flags);
  add_pipeline(app, flags.text);
  add_measuring(app, flags);
  tie_flags(app);
}

void add_flags(CLI::App& app, ProfileFlags& flags) {
  add_axes(app, flags);
  app.add_flag("--list-models", flags.list_models,
               "describe the built-in models and those of the models folder, and stop")
      ->group("What to measure");
  add_pipeline(app, flags.text);
  add_measuring(app, flags);
  add_diagnosis(app, flags);
  add_cluster(app, flags.cluster);
  add_output(app, flags);
  tie_flags(app);
}

std::vector<std::string> models_of(const ProfileFlags& flags) {
  constexpr const char* kUsualStep = "step:20ms";
  if (flags.models.empty() && is_in_python(flags.loader)) return {kUsualStep};
  return flags.models;
}

std::vector<std::string> engines_of(const ProfileFlags& flags) {
  if (flags.engine.empty()) return api::engines_for(models_of(flags), own_places());
  std::vector<std::string> engines;
  for (const auto name : base::split(flags.engine, ',')) engines.emplace_back(base::trim(name));
  return engines;
}

}  // namespace batchscope::cli
