#include "plan_flags.hpp"

#include <fmt/format.h>

#include <cmath>

#include "batchscope/base/parse_number.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/study/environments.hpp"
#include "batchscope/study/length_mix.hpp"

namespace batchscope::cli {
namespace {

using base::Error;
using base::ErrorKind;

// As many quantiles of a mix of lengths stand for it.
constexpr int64_t kLengths = 512;

Error usage(const char* flag, std::string what, std::string fix) {
  return {ErrorKind::usage, std::move(what), flag, std::move(fix)};
}

// "40/s", "40", "2400/min".
base::Result<double> parse_rate(std::string_view text) {
  const std::size_t slash = text.find('/');
  const std::string_view digits = base::trim(text.substr(0, slash));
  const std::string_view unit = slash == std::string_view::npos ? "s" : text.substr(slash + 1);
  const double value = base::parse_number<double>(digits).value_or(0);
  const double seconds = unit == "s" ? 1 : unit == "min" ? 60 : unit == "h" ? 3600 : 0;
  if (!std::isfinite(value) || value <= 0 || seconds == 0) {
    return usage("--rate", fmt::format("'{}' is not a rate above 0", base::visible(text)),
                 "use --rate 40/s (or /min, /h)");
  }
  return value / seconds;
}

base::Result<double> parse_seconds(const char* flag, const std::string& text, bool zero_too) {
  const auto time = base::parse_duration(text);
  if (!time || time->count() < 0 || (time->count() == 0 && !zero_too)) {
    return usage(flag, zero_too ? "must be a time of 0 or more" : "must be a time above 0",
                 fmt::format("use {} 500ms", flag));
  }
  return std::chrono::duration<double>(*time).count();
}

std::optional<int64_t> integer_flag(const std::string& text) {
  const auto value = base::parse_number<int64_t>(text);
  return value && *value >= 1 ? value : std::nullopt;
}

base::Result<std::vector<int64_t>> parse_lengths(const std::string& text) {
  if (const auto length = integer_flag(text); length && *length <= schema::kLargestSize) {
    return std::vector<int64_t>{*length};
  }
  auto mix = study::parse_length_mix(text);
  if (!mix) {
    Error error = mix.error();
    if (error.kind == ErrorKind::usage) error.where = "--lengths";
    return error;
  }
  return study::cycle_lengths(*mix, kLengths, 1);
}

template <class T, class Typed>
std::optional<T> if_typed(const Typed& typed) {
  if (typed == Typed{}) return std::nullopt;
  return typed;
}

}  // namespace

void PlanFlags::add_to(CLI::App& app) {
  app.add_option("RUN", run, "a run file with several batch sizes")->required();
  app.add_option("--rate", rate,
                 "arrival rate of requests, such as 40/s (default with file:NAME: as recorded)");
  app.add_option("--p99", p99, "latency that 99 % of the requests must meet, such as 500ms");
  app.add_option("--arrivals", arrivals,
                 "poisson, bursty, bursty(FACTOR,SHARE,LENGTH) as 'bursty(4,10%,2s)', or file:NAME "
                 "with a time in seconds and optionally a length per line");
  app.add_option("--lengths", lengths,
                 "lengths of requests in tokens: 64, '16-128:lognormal(48,0.6)' or file:NAME");
  app.add_option("--instances", instances,
                 "number of copies that serve (default: the fewest that suffice)")
      ->check(CLI::Range(1, 100'000));
  app.add_option("--max-batch-size", max_batch_size,
                 "largest batch to form (default: the largest measured)")
      ->check(CLI::Range(int64_t{1}, schema::kLargestSize));
  app.add_option("--max-delay", max_delay,
                 "longest time that a policy waits for more requests (default: tries several)");
  app.add_option("--requests", requests,
                 "requests in each of five simulated series (default: 20000; with bursts enough "
                 "for 200 of them, at most 400000; all of a recording)")
      ->check(CLI::Range(int64_t{500}, int64_t{10'000'000}));
  app.add_option("--seed", seed, "seed of the simulated requests");
  app.add_option("-m,--model", model, "which of several measured models");
  app.add_option("--engine", engine, "which of several measured engines");
  app.add_option("--device", device, "which of several measured devices");
  app.add_option("--precision", precision, "which of several measured precisions");
  app.add_option("--mode", mode, "which of several measured modes");
  app.add_option("--threads", threads, "which of several measured numbers of threads")
      ->check(CLI::Range(1, 100'000));
  app.add_option("--measured-instances", measured_instances,
                 "which of several measured numbers of copies (default: as --instances; for a "
                 "tuning run, what it recommends)")
      ->check(CLI::Range(1, 100'000));
  app.add_option("--seq-lens", seq_lens, "which of several measured lengths, or mixes of them");
  app.add_option("--env", environment,
                 "which of several measured environments: NAME=VALUE, once for each variable that "
                 "it sets; NAME= alone for the one that sets none");
  add_format(app, format, {Format::text, Format::json}, "text or json");
  app.add_option("-o,--output", output.path, "write to a file instead of standard output (-)");
  app.add_flag("--overwrite", output.overwrite, "replace the output if it exists");
  app.add_flag("--charts{auto}", charts,
               "draw latency against load; --charts=DIR names the folder (default: RUN_charts)");
  app.add_flag("-q,--quiet", quiet, "print only warnings and errors on standard error");
}

std::filesystem::path PlanFlags::chart_folder() const {
  if (charts != "auto") return charts;
  return std::filesystem::path(run).replace_extension().concat("_charts");
}

base::Result<planning::CostSelection> PlanFlags::selection() const {
  planning::CostSelection chosen;
  chosen.engine = if_typed<std::string>(engine);
  chosen.model = if_typed<std::string>(model);
  chosen.device = if_typed<std::string>(device);
  chosen.threads = if_typed<int>(threads);
  chosen.instances = if_typed<int>(measured_instances);
  if (!precision.empty()) {
    const auto parsed = schema::parse_precision(precision);
    if (!parsed) return parsed.error();
    chosen.precision = *parsed;
  }
  if (!mode.empty()) {
    const auto parsed = schema::parse_mode(mode);
    if (!parsed) return parsed.error();
    chosen.mode = *parsed;
  }
  if (!seq_lens.empty()) {
    chosen.seq_len = integer_flag(seq_lens);
    if (!chosen.seq_len) chosen.length_mix = seq_lens;
  }
  if (!environment.empty()) {
    auto parsed = study::parse_environment(environment);
    if (!parsed) return std::move(parsed).error();
    chosen.environment = *std::move(parsed);
  }
  return chosen;
}

base::Result<void> PlanFlags::check_recording(const planning::RecordedArrivals* recorded) const {
  if (recorded && requests > 0) {
    return usage("--requests", "does not apply to recorded arrivals: plan simulates all of them",
                 "omit it");
  }
  if (recorded && !recorded->tokens.empty() && !lengths.empty()) {
    return usage("--lengths", "does not apply to recorded arrivals that have lengths",
                 "omit it, or remove the lengths from the file");
  }
  return {};
}

base::Result<planning::PlanRequest> PlanFlags::request() const {
  planning::PlanRequest made;
  auto process = planning::parse_arrivals(arrivals);
  if (!process) return process.error();
  made.arrivals = *std::move(process);
  const auto* recorded = std::get_if<planning::RecordedArrivals>(&made.arrivals.law);
  if (auto checked = check_recording(recorded); !checked) return checked.error();
  if (rate.empty() && !recorded) {
    return usage("--rate", "is required", "give the arrival rate, such as --rate 40/s");
  }
  const auto parsed =
      rate.empty() ? base::Result<double>(recorded->rate_per_s()) : parse_rate(rate);
  if (!parsed) return parsed.error();
  made.rate_per_s = *parsed;
  if (!p99.empty()) {
    const auto bound = parse_seconds("--p99", p99, false);
    if (!bound) return bound.error();
    made.p99_s = *bound;
  }
  if (!max_delay.empty()) {
    const auto delay = parse_seconds("--max-delay", max_delay, true);
    if (!delay) return delay.error();
    made.max_delay_s = *delay;
  }
  if (!lengths.empty()) {
    auto tokens = parse_lengths(lengths);
    if (!tokens) return tokens.error();
    made.lengths = *std::move(tokens);
  }
  made.instances = if_typed<int>(instances);
  made.max_batch = if_typed<int64_t>(max_batch_size);
  if (requests > 0) made.requests = static_cast<std::size_t>(requests);
  made.seed = seed;
  made.curves = !charts.empty() || format == Format::json;
  return made;
}

}  // namespace batchscope::cli
