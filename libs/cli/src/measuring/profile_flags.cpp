#include "profile_flags.hpp"

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
  app.add_option("--iterations", flags.iterations, "exactly this many timed iterations a visit")
      ->check(CLI::Range(1, 100'000'000))
      ->group("How to measure");
  app.add_option("--warmup", flags.warmup,
                 "exactly this many warm-up iterations (default: by evidence)")
      ->check(CLI::Range(0, 100'000'000))
      ->group("How to measure");
  app.add_option("--min-visit-time", flags.min_visit_time,
                 "timed part of a visit, at least (default 250ms)")
      ->group("How to measure");
  app.add_option("--target", flags.target,
                 "stop when every contrast is known within this (default 2%)")
      ->group("How to measure");
  app.add_option("--budget", flags.budget,
                 "wall time, at most (default: what 12 blocks take, at most 10m)")
      ->group("How to measure");
  app.add_option("--timeout", flags.timeout, "of one visit (default 120s)")
      ->group("How to measure");
  app.add_option("--isolation", flags.isolation,
                 "config: a fresh process a visit; block: one a block; none: this one")
      ->check(CLI::IsMember({"config", "block", "none"}))
      ->group("How to measure");
  app.add_option("--sync", flags.sync,
                 "each: wait for every result; end: once a series (pipelined)")
      ->check(CLI::IsMember({"each", "end"}))
      ->group("How to measure");
  app.add_option("--memory-limit", flags.memory_limit,
                 "of each worker, such as 8GiB; what needs more in all is not recommended")
      ->group("How to measure");
  app.add_option("--latency-budget", flags.latency_budget,
                 "the recommended batch is to take at most this, such as 200ms")
      ->group("How to measure");
  app.add_option("--current-batch-size", flags.current_batch_size,
                 "the recommendation's gain is against it (default: the smallest size)")
      ->check(CLI::Range(int64_t{1}, schema::kLargestSize))
      ->group("How to measure");
  app.add_option("--controls", flags.controls,
                 "auto: measure control sizes where a verdict is ambiguous")
      ->check(CLI::IsMember({"off", "auto"}))
      ->group("How to measure");
  app.add_option("--seed", flags.seed, "of orders, weights and inputs")
      ->check(CLI::NonNegativeNumber)
      ->group("How to measure");
}

void add_diagnosis(CLI::App& app, ProfileFlags& flags) {
  auto* const diagnose =
      app.add_flag("--diagnose", flags.diagnose, "find out why: look for causes in the signals");
  diagnose->group("Finding out why");
  app.add_option("--only", flags.only, "parts of the diagnosis: memory,kernels,... (--diagnose)")
      ->delimiter(',')
      ->check(CLI::IsMember(findings::names_of_diagnosis_parts()))
      ->needs(diagnose)
      ->group("Finding out why");
  app.add_option("--verify-causes", flags.verify_causes,
                 "auto: measure with and without what takes a cause away (with --diagnose)")
      ->check(CLI::IsMember({"off", "auto"}))
      ->group("Finding out why");
  app.add_option("--verify", flags.verify,
                 "auto: hold the recommendation against fresh visits (with --diagnose)")
      ->check(CLI::IsMember({"off", "auto"}))
      ->group("Finding out why");
  app.add_option("--diagnose-budget", flags.diagnose_budget,
                 "wall time of all that --diagnose adds, at most (default: each part as --budget)")
      ->group("Finding out why");
}

void add_output(CLI::App& app, ProfileFlags& flags) {
  app.add_option("-o,--output", flags.output.path, "the run file (default batch_profile.jsonl)")
      ->group("Output");
  app.add_flag("--overwrite", flags.output.overwrite, "replace the run file if it exists")
      ->group("Output");
  app.add_flag("--resume", flags.resume, "go on with the run file where it was interrupted")
      ->group("Output");
  app.add_flag("--force", flags.force, "resume on another machine or model all the same; recorded")
      ->group("Output");
  app.add_flag("--dry-run", flags.dry_run, "print the plan and its estimated time, measure nothing")
      ->group("Output");
  add_format(app, flags.format, {Format::text, Format::json}, "of what is printed: text, json")
      ->group("Output");
  app.add_flag("--strict", flags.strict, "exit 4 when an interval stayed wider than the target")
      ->group("Output");
  app.add_flag("-q,--quiet", flags.quiet, "no progress")->group("Output");
}

}  // namespace

void add_flags(CLI::App& app, ProfileFlags& flags) {
  add_axes(app, flags);
  app.add_flag("--list-models", flags.list_models,
               "describe the built-in models and those of the models folder, and stop")
      ->group("What to measure");
  add_pipeline(app, flags.text);
  add_measuring(app, flags);
  add_diagnosis(app, flags);
  add_output(app, flags);
}

std::vector<std::string> engines_of(const ProfileFlags& flags) {
  if (flags.engine.empty()) return api::engines_for(flags.models, own_places());
  std::vector<std::string> engines;
  for (const auto name : base::split(flags.engine, ',')) engines.emplace_back(base::trim(name));
  return engines;
}

}  // namespace batchscope::cli
