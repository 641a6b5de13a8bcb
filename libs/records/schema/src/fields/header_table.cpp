#include <array>

#include "batchscope/schema/describe.hpp"
#include "batchscope/schema/tables.hpp"

namespace batchscope::schema {
namespace {

// Most iterations of a visit that may be typed.
constexpr double kMostIterations = 100'000'000;

constexpr std::array kPlanFields = {
    field<&MeasurementPlan::isolation>(
        "isolation",
        {.setting = {.flag = "--isolation",
                     .help = "config: a fresh process per visit; block: one per block; none: this "
                             "process",
                     .profile = kHowToMeasure,
                     .tune = kHowToSearch,
                     .word = "config|block|none",
                     .excludes = kMaxBatchOnly}}),
    field<&MeasurementPlan::sync>(
        "sync",
        {.setting = {.flag = "--sync",
                     .help = "each: wait for every result; end: once per series (pipelined)",
                     .profile = kHowToMeasure}}),
    field<&MeasurementPlan::blocks>(
        "blocks",
        {.least = 0,
         .most = kMostBlocks,
         .setting = {.flag = "--blocks",
                     .help = "exactly this many blocks (default: 12, then more if needed)",
                     .profile = kHowToMeasure,
                     .least = 1,
                     .may_differ = true}}),  // it is held to blocks_fixed, too
    field<&MeasurementPlan::blocks_fixed>("blocks_fixed"),
    field<&MeasurementPlan::iterations>(
        "iterations", {.least = 1,
                       .most = kLargestNumber,
                       .description = "timed iterations per visit, when fixed",
                       .setting = {.flag = "--iterations",
                                   .help = "exactly this many timed iterations per visit",
                                   .profile = kHowToMeasure,
                                   .tune = kHowToSearch,
                                   .most = kMostIterations,
                                   .excludes = kMaxBatchOnly}}),
    field<&MeasurementPlan::warmup>(
        "warmup",
        {.least = 0,
         .most = kLargestNumber,
         .description = "warm-up iterations, when fixed",
         .setting = {.flag = "--warmup",
                     .help = "exactly this many warm-up iterations (default: by evidence)",
                     .profile = kHowToMeasure,
                     .most = kMostIterations}}),
    field<&MeasurementPlan::target>(
        "target",
        {.least = 0,
         .description = "wanted half-width of every contrast's interval, in ln units",
         .setting = {.flag = "--target",
                     .help =
                         "stop when all differences between sizes are this precise (default 2%)",
                     .profile = kHowToMeasure,
                     .unit = Unit::share,
                     .example = "2%"}}),
    field<&MeasurementPlan::min_iterations>(
        "min_iterations",
        {.least = 1, .description = "timed iterations of a visit, at least (absent: 5)"}),
    field<&MeasurementPlan::min_visit_s>(
        "min_visit_s", {.least = 0,
                        .most = kMostSeconds,
                        .setting = {.flag = "--min-visit-time",
                                    .help = "shortest timed part of a visit (default 250ms)",
                                    .profile = kHowToMeasure,
                                    .tune = kHowToSearch,
                                    .unit = Unit::seconds,
                                    .excludes = kMaxBatchOnly}}),
    field<&MeasurementPlan::timed_over_startup>(
        "timed_over_startup",
        {.least = 0,
         .description = "a visit measures at least this many times as long as its set-up takes"}),
    field<&MeasurementPlan::budget_s>(
        "budget_s",
        {.least = 0,
         .most = kMostSeconds,
         .setting = {.flag = "--budget",
                     .help = "longest wall time, including --diagnose (default: time of 12 blocks, "
                             "at most 10m)",
                     .profile = kHowToMeasure,
                     .tune = kHowToSearch,
                     .unit = Unit::seconds,
                     .excludes = kReplay,
                     .help_of_tune = "longest wall time (default 10m; with --max-batch-only 1h)"}}),
    field<&MeasurementPlan::budget_fixed>("budget_fixed"),
    field<&MeasurementPlan::timeout_s>(
        "timeout_s", {.least = 0,
                      .most = kMostSeconds,
                      .setting = {.flag = "--timeout",
                                  .help = "longest time of one visit (default 120s)",
                                  .profile = kHowToMeasure,
                                  .tune = kHowToSearch,
                                  .unit = Unit::seconds}}),
    field<&MeasurementPlan::controls>(
        "controls", {.description = "auto: control sizes are measured where a verdict is ambiguous",
                     .no_other_words = true,
                     .setting = {.flag = "--controls",
                                 .help = "auto: measure control sizes if a verdict is ambiguous",
                                 .profile = kHowToMeasure}}),
    field<&MeasurementPlan::diagnose>(
        "diagnose",
        {.description =
             "whether the causes of slow batch sizes are looked for, as the next four say",
         .setting = {.flag = "--diagnose",
                     .help = "find out why sizes are slow",
                     .profile = kFindingOut,
                     .may_differ = true}}),
    field<&MeasurementPlan::only>(
        "only", {.omit = Omit::empty,
                 .description = "parts of the diagnosis that are wanted; absent: all"}),
    field<&MeasurementPlan::verify_causes>(
        "verify_causes",
        {.when = is_set<&MeasurementPlan::diagnose>,
         .description = "auto: suspected causes are tested by interventions",
         .no_other_words = true,
         .setting = {.flag = "--verify-causes",
                     .help = "auto: test suspected causes by removing them (with --diagnose)",
                     .profile = kFindingOut}}),
    field<&MeasurementPlan::verify>(
        "verify", {.when = is_set<&MeasurementPlan::diagnose>,
                   .description = "auto: profile verifies the recommendation in separate visits",
                   .no_other_words = true,
                   .setting = {.flag = "--verify",
                               .help = "auto: check the recommendation in separate visits (with "
                                       "--diagnose, or --loader python:)",
                               .profile = kFindingOut}}),
    field<&MeasurementPlan::diagnose_budget_s>(
        "diagnose_budget_s",
        {.when = is_set<&MeasurementPlan::diagnose>,
         .least = 0,
         .most = kMostSeconds,
         .description = "wall time of all that the diagnosis adds; absent: what the main part "
                        "leaves of a fixed budget_s, else budget_s for each part",
         .setting =
             {.flag = "--diagnose-budget",
              .help = "longest wall time that --diagnose may add (default: the rest of --budget)",
              .profile = kFindingOut,
              .unit = Unit::seconds,
              .needs = "--diagnose"}}),
    field<&MeasurementPlan::memory_limit_bytes>(
        "memory_limit_bytes",
        {.least = 1,
         .setting = {.flag = "--memory-limit",
                     .help = "memory for all instances together, such as 8GiB; limits each worker "
                             "and the recommendation",
                     .profile = kHowToMeasure,
                     .tune = kBest,
                     .unit = Unit::bytes,
                     .example = "8GiB"}}),
    field<&MeasurementPlan::memory_limit_kind>("memory_limit_kind", {.omit = Omit::empty}),
    field<&MeasurementPlan::latency_budget_s>(
        "latency_budget_s",
        {.least = 0,
         .most = kMostSeconds,
         .description = "longest time of an iteration of a recommended configuration",
         .setting = {.flag = "--latency-budget",
                     .help = "longest time of a recommended batch, such as 200ms",
                     .profile = kHowToMeasure,
                     .tune = kBest,
                     .unit = Unit::seconds,
                     .excludes = kMaxBatchOnly}}),
    field<&MeasurementPlan::latency_of>(
        "latency_of",
        {.description = "what of the latency the budget bounds: mean, or a percentile; absent: p50",
         .setting = {.flag = "--latency-quantile",
                     .help = "latency that the budget bounds: mean, or any percentile, such as "
                             "p95 (default p50)",
                     .profile = kHowToMeasure,
                     .tune = kBest,
                     .word = "STATISTIC",
                     .needs = "--latency-budget"}}),
    field<&MeasurementPlan::current_batch_size>(
        "current_batch_size",
        {.least = 1,
         .description =
             "baseline of the gain of a recommendation; absent: the smallest measured size",
         .setting = {
             .flag = "--current-batch-size",
             .help = "batch size in use today, as the baseline of the gain (default: the smallest)",
             .profile = kHowToMeasure,
             .tune = kBest,
             .most = kLargestSize,
             .excludes = kMaxBatchOnly}})};

}  // namespace

template <>
const Table& table_of<Machine>() {
  static constexpr std::array kFields = {
      field<&Machine::host>("host"),
      field<&Machine::cpu>("cpu"),
      field<&Machine::physical_cores>("physical_cores", {.stated_least = 0}),
      field<&Machine::logical_cpus>("logical_cpus", {.stated_least = 0}),
      field<&Machine::memory_bytes>("memory_bytes", {.stated_least = 0}),
      field<&Machine::l3_bytes>("l3_bytes", {.stated_least = 0}),
      field<&Machine::kernel>("kernel"),
      field<&Machine::os>("os"),
      field<&Machine::virtualised>("virtualised"),
      field<&Machine::gpus>("gpus", {.description = "all GPUs that NVML sees, in its order"}),
      field<&Machine::gpu_memory_bytes>(
          "gpu_memory_bytes",
          {.omit = Omit::empty,
           .description = "total memory of each of gpus, in use or not; 0 where NVML does not "
                          "report it; absent in older files",
           .each_least = 0})};
  static constexpr Table kTable{kFields};
  return kTable;
}

template <>
const Table& table_of<ModelInfo>() {
  static constexpr std::array kFields = {
      field<&ModelInfo::name>("name", {.required = true, .description = "as in config lines"}),
      field<&ModelInfo::engine>(
          "engine",
          {.omit = Omit::empty, .description = "that says so; only where the run has several"}),
      field<&ModelInfo::path>("path",
                              {.omit = Omit::empty, .description = "absent for a built-in model"}),
      field<&ModelInfo::inputs>("inputs",
                                {.omit = Omit::empty, .description = "as they were typed"}),
      field<&ModelInfo::parameters>("parameters", {.stated_least = 0}),
      field<&ModelInfo::hash>("hash", {.omit = Omit::empty}),
      field<&ModelInfo::description>("description", {.omit = Omit::empty})};
  static constexpr Table kTable{kFields};
  return kTable;
}

template <>
const Table& table_of<MeasurementPlan>() {
  static constexpr Table kTable{kPlanFields};
  return kTable;
}

template <>
const Table& table_of<Header>() {
  static constexpr std::array kFields = {
      field<&Header::schema_version>("schema_version",
                                     {.required = true, .least = 1, .only_value = kSchemaVersion}),
      field<&Header::tool_version>("tool_version", {.omit = Omit::empty}),
      field<&Header::created>("created", {.omit = Omit::empty, .description = "UTC, ISO 8601"}),
      field<&Header::origin>("origin", {.no_other_words = true}),
      field<&Header::machine>("machine"),
      field<&Header::versions>("versions"),
      field<&Header::models>("models"),
      field<&Header::axes>("axes", {.description = "as typed"}),
      field<&Header::command_line>("command_line"),
      field<&Header::seed>("seed", {.description = "of everything random in the run"}),
      field<&Header::configurations>("configurations",
                                     {.omit = Omit::empty,
                                      .least = 0,
                                      .description = "that the run started with: a file with fewer "
                                                     "config lines was cut; absent: not recorded",
                                      .stated_least = 1}),
      field<&Header::plan>("plan"),
      field<&Header::notes>("notes")};
  static constexpr Table kTable{kFields, "The first line: who measured what, where and how."};
  return kTable;
}

}  // namespace batchscope::schema
