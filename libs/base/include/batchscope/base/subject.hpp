#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace batchscope::base {

// What a user can set, as texts speak of it: no library knows whether the reader typed a flag, a
// key of a table or an argument of a function.
enum class Subject {
  none,
  accumulation,
  arrivals,
  baseline,
  batch_sizes,
  blocks,
  budget,
  calibrate,
  candidate,
  ceilings,
  charts,
  checkpointing,
  controls,
  current_batch_size,
  device,
  diagnose,
  diagnose_budget,
  dry_run,
  effective_batch,
  engine,
  environment,
  exports,
  fail_on_regression,
  force,
  forget_ceilings,
  format,
  input,
  instances,
  isolation,
  iterations,
  latency_budget,
  latency_quantile,
  lengths,  // of requests
  loader,
  loader_workers,
  margin,
  max_batch_only,
  max_batch_size,
  max_length,          // tokens
  measured_instances,  // whose costs a plan is made from
  memory_limit,
  min_visit_time,
  mode,
  model,   // one of them
  models,  // those that are asked for
  normalize,
  objective,
  optimizer,
  order,
  output,
  overwrite,
  p99,
  padding,
  param,
  pipeline,
  points,
  pooling,
  practical,
  precision,
  prefetch,
  prefetch_to_device,
  price_per_hour,
  python,
  rate,
  replay,
  requests,
  resume,
  seed,
  seq_lens,
  soak_time,
  steps,
  sync,
  target,
  text_lengths,
  texts,
  threads,
  timeout,
  token_budget,
  tokenizer,
  tokenizer_threads,
  unit,
  verify,
  verify_blocks,
  verify_causes,
  wait_for_quiet,
  warmup,
};

// In the order of the enumeration.
inline constexpr std::array<std::string_view, 86> kSubjectNames{
    "",
    "accumulation",
    "arrivals",
    "baseline",
    "batch_sizes",
    "blocks",
    "budget",
    "calibrate",
    "candidate",
    "ceilings",
    "charts",
    "checkpointing",
    "controls",
    "current_batch_size",
    "device",
    "diagnose",
    "diagnose_budget",
    "dry_run",
    "effective_batch",
    "engine",
    "environment",
    "export",
    "fail_on_regression",
    "force",
    "forget_ceilings",
    "format",
    "input",
    "instances",
    "isolation",
    "iterations",
    "latency_budget",
    "latency_quantile",
    "lengths",
    "loader",
    "loader_workers",
    "margin",
    "max_batch_only",
    "max_batch_size",
    "max_length",
    "measured_instances",
    "memory_limit",
    "min_visit_time",
    "mode",
    "model",
    "models",
    "normalize",
    "objective",
    "optimizer",
    "order",
    "output",
    "overwrite",
    "p99",
    "padding",
    "param",
    "pipeline",
    "points",
    "pooling",
    "practical",
    "precision",
    "prefetch",
    "prefetch_to_device",
    "price_per_hour",
    "python",
    "rate",
    "replay",
    "requests",
    "resume",
    "seed",
    "seq_lens",
    "soak_time",
    "steps",
    "sync",
    "target",
    "text_lengths",
    "texts",
    "threads",
    "timeout",
    "token_budget",
    "tokenizer",
    "tokenizer_threads",
    "unit",
    "verify",
    "verify_blocks",
    "verify_causes",
    "wait_for_quiet",
    "warmup",
};

static_assert(kSubjectNames.size() == static_cast<std::size_t>(Subject::warmup) + 1);

constexpr std::string_view name_in_table(Subject subject) {
  return kSubjectNames[static_cast<std::size_t>(subject)];
}

// "seq_lens": the one name of it in JSON, C++ and Python. Empty for none.
std::string name_of(Subject subject);

// U+2063, which nobody sees.
inline constexpr std::string_view kMentionMark = "\u2063";

// The name inside of a text, between two marks, so that whoever shows the text can spell it as the
// reader does.
std::string mention(Subject subject);

// How a reader writes a subject: name_of, or as a command line has it.
using Spelling = std::string (*)(Subject);

// The text with every mention spelt, and without its marks; other marks stay.
std::string spell(std::string_view text, Spelling spelling = name_of);

}  // namespace batchscope::base
