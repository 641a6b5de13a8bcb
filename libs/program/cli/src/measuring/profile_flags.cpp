#include "profile_flags.hpp"

#include <array>

#include "axis_flags.hpp"
#include "batchscope/api/measure_options.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/findings/diagnosis_part.hpp"
#include "places.hpp"

namespace batchscope::cli {

namespace {

void add_measuring(CLI::App& app, ProfileFlags& flags) {
  app.add_option("--blocks", flags.blocks,
                 "exactly this many blocks (default: 12, then more if needed)")
      ->check(CLI::Range(1, schema::kMostBlocks))
      ->group("How to measure");
  app.add_option("--iterations", flags.iterations, "exactly this many timed iterations per visit")
      ->check(CLI::Range(1, 100'000'000))
      ->group("How to measure");
  app.add_option("--warmup", flags.warmup,
                 "exactly this many warm-up iterations (default: by evidence)")
      ->check(CLI::Range(0, 100'000'000))
      ->group("How to measure");
  app.add_option("--min-visit-time", flags.min_visit_time,
                 "shortest timed part of a visit (default 250ms)")
      ->group("How to measure");
  app.add_option("--target", flags.target,
                 "stop when every difference between sizes is known to within this (default 2%)")
      ->group("How to measure");
  app.add_option("--budget", flags.budget,
                 "longest wall time, with --diagnose of all parts (default: the time of 12 blocks, "
                 "at most 10m)")
      ->group("How to measure");
  app.add_option("--timeout", flags.timeout, "longest time of one visit (default 120s)")
      ->group("How to measure");
  add_wait_for_quiet(app, flags)->group("How to measure");
  app.add_option("--isolation", flags.isolation,
                 "config: a fresh process per visit; block: one per block; none: this process")
      ->check(CLI::IsMember({"config", "block", "none"}))
      ->group("How to measure");
  app.add_option("--sync", flags.sync,
                 "each: wait for every result; end: once per series (pipelined)")
      ->check(CLI::IsMember({"each", "end"}))
      ->group("How to measure");
  app.add_option(
         "--memory-limit", flags.memory_limit,
         "memory of each worker, such as 8GiB; sizes that need more in total are not recommended")
      ->group("How to measure");
  app.add_option("--latency-budget", flags.latency_budget,
                 "longest time of a recommended batch, such as 200ms")
      ->group("How to measure");
  app.add_option(
         "--current-batch-size", flags.current_batch_size,
         "the batch size in use today, which the gain is measured against (default: the smallest)")
      ->check(CLI::Range(int64_t{1}, schema::kLargestSize))
      ->group("How to measure");
  app.add_option("--controls", flags.controls,
                 "auto: measure control sizes where a verdict is ambiguous")
      ->check(CLI::IsMember({"off", "auto"}))
      ->group("How to measure");
  app.add_option("--seed", flags.seed, "seed of orders, weights and inputs")
      ->check(CLI::NonNegativeNumber)
      ->group("How to measure");
}

void add_diagnosis(CLI::App& app, ProfileFlags& flags) {
  auto* const diagnose =
      app.add_flag("--diagnose", flags.diagnose, "find out why sizes are slow: look for causes");
  diagnose->group("Finding out why");
  app.add_option("--only", flags.only, "only these parts of the diagnosis (with --diagnose)")
      ->delimiter(',')
      ->check(CLI::IsMember(findings::names_of_diagnosis_parts()))
      ->needs(diagnose)
      ->group("Finding out why");
  app.add_option("--verify-causes", flags.verify_causes,
                 "auto: test suspected causes by removing them (with --diagnose)")
      ->check(CLI::IsMember({"off", "auto"}))
      ->group("Finding out why");
  app.add_option("--verify", flags.verify,
                 "auto: check the recommendation in fresh visits (with --diagnose)")
      ->check(CLI::IsMember({"off", "auto"}))
      ->group("Finding out why");
  app.add_option(
         "--diagnose-budget", flags.diagnose_budget,
         "longest wall time of all that --diagnose adds (default: what is left of --budget)")
      ->needs(diagnose)
      ->group("Finding out why");
}

void add_output(CLI::App& app, ProfileFlags& flags) {
  app.add_option("-o,--output", flags.output.path, "the run file (default batch_profile.jsonl)")
      ->group("Output");
  app.add_flag("--overwrite", flags.output.overwrite, "replace the run file if it exists")
      ->group("Output");
  app.add_flag("--resume", flags.resume, "continue an interrupted run in its file")
      ->group("Output");
  app.add_flag("--force", flags.force,
               "resume even on another machine or model; the run file says so")
      ->group("Output");
  app.add_flag("--dry-run", flags.dry_run, "print the plan and its estimated time; measure nothing")
      ->group("Output");
  add_format(app, flags.format, {Format::text, Format::json}, "format of what is printed")
      ->group("Output");
  app.add_flag("--brief", flags.brief, "print the answer alone (text)")->group("Output");
  app.add_flag("--strict", flags.strict, "exit 4 if an interval stayed wider than the target")
      ->group("Output");
  app.add_flag("-q,--quiet", flags.quiet, "print no progress")->group("Output");
}

}  // namespace

CLI::Option* add_wait_for_quiet(CLI::App& app, ProfileFlags& flags) {
  return app.add_option("--wait-for-quiet", flags.wait_for_quiet,
                        "if other work disturbs the machine, wait at most this long for it to end, "
                        "such as 60s; then measure anyway");
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
  add_output(app, flags);
  tie_flags(app);
}

std::vector<std::string> engines_of(const ProfileFlags& flags) {
  if (flags.engine.empty()) return api::engines_for(flags.models, own_places());
  std::vector<std::string> engines;
  for (const auto name : base::split(flags.engine, ',')) engines.emplace_back(base::trim(name));
  return engines;
}

}  // namespace batchscope::cli
