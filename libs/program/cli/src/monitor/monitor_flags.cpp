#include "monitor_flags.hpp"

#include <algorithm>

#include "shared_flags/named_flag.hpp"

namespace batchscope::cli {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

constexpr base::Nanoseconds kShortest{std::chrono::milliseconds{100}};

void add_what(CLI::App& app, MonitorFlags& flags) {
  const char* const group = "What to watch";
  app.add_option(
      "COMMAND", flags.command,
      "after --: a program to start and watch; its output and exit code stay as they are");
  app.add_option("--pid", flags.pid, "watch this process and its children, until it ends")
      ->check(CLI::PositiveNumber)
      ->group(group);
  app.add_option("--steps", flags.steps,
                 "where training loops report steps: a Unix socket to create, or a file to follow "
                 "(JSON lines, or a framework's log: Trainer, Lightning, Megatron-LM, ...)")
      ->type_name("PATH")
      ->group(group);
  app.add_option("--interval", flags.interval,
                 "time between samples (default: 1s; with a --duration below 30s, 1/30 of it)")
      ->type_name("TIME")
      ->group(group);
  app.add_option("--duration", flags.duration, "stop after this time and print a summary")
      ->type_name("TIME")
      ->group(group);
  app.add_flag("--once", flags.once, "take two samples and print the problems found")->group(group);
}

void add_judging(CLI::App& app, MonitorFlags& flags) {
  const char* const group = "Targets";
  app.add_option("--gpu-busy", flags.gpu_busy, "target range of GPU busy, such as 75-95%")
      ->type_name("RANGE")
      ->group(group);
  app.add_option("--gpu-memory", flags.gpu_memory, "target range of GPU memory, such as 80-95%")
      ->type_name("RANGE")
      ->group(group);
  app.add_option("--cpu-busy", flags.cpu_busy, "target range of CPU busy, such as 50-80%")
      ->type_name("RANGE")
      ->group(group);
  app.add_option("--window", flags.window,
                 "window for findings; reported a quarter window later (default: 60s and another "
                 "30s; with a --duration below 2min, 2/5 of it)")
      ->type_name("TIME")
      ->group(group);
  app.add_option("--fail-on", flags.fail_on,
                 "exit 5 if a finding of this severity or worse was ever active")
      ->type_name("SEVERITY")
      ->group(group);
}

void add_exports(CLI::App& app, MonitorFlags& flags) {
  const char* const group = "Outputs";
  app.add_option("--prometheus", flags.outputs.prometheus,
                 "serve /metrics and /healthz at this address, such as 127.0.0.1:9430")
      ->type_name("ADDRESS")
      ->group(group);
  app.add_option("--web-config", flags.outputs.web_config,
                 "TLS and users of this server, in Prometheus' web configuration format")
      ->type_name("FILE")
      ->group(group);
  app.add_option("--compat", flags.compat,
                 "use the metric names and units of another exporter: dcgm")
      ->check(CLI::IsMember({"dcgm"}))
      ->group(group);
  app.add_option("--tensorboard", flags.outputs.tensorboard,
                 "write TensorBoard event files into this folder")
      ->type_name("FOLDER")
      ->group(group);
  app.add_option("--record", flags.outputs.log, "save all samples, steps and findings in this file")
      ->type_name("FILE")
      ->group(group);
  app.add_flag("--overwrite", flags.outputs.overwrite, "replace the --record file if it exists")
      ->group(group);
  app.add_option("--replay", flags.replay,
                 "analyze a recording or a framework's log instead of this machine")
      ->type_name("FILE")
      ->group(group);
}

void add_look(CLI::App& app, MonitorFlags& flags) {
  const char* const group = "Display";
  add_format(app, flags.format, {Format::text, Format::json},
             "text or json (json with --once, --duration or --replay)")
      ->group(group);
  app.add_flag("--plain", flags.plain, "plain lines; the default when output is not a terminal")
      ->group(group);
  app.add_flag("--no-color", flags.no_color, "no colours")->group(group);
  app.add_flag("--ascii", flags.ascii, "use only ASCII characters")->group(group);
  app.add_flag("-q,--quiet", flags.quiet, "print only the summary (nothing after a command)")
      ->group(group);
}

// Each alone says what is to be watched, and for how long.
void tie(CLI::App& app) {
  app.get_option("--pid")->excludes("COMMAND");
  for (const char* const other : {"COMMAND", "--duration"})
    app.get_option("--once")->excludes(other);
  for (const char* const other : {"COMMAND", "--pid", "--once", "--record", "--prometheus"})
    app.get_option("--replay")->excludes(other);
  for (const char* const flag : {"--web-config", "--compat"})
    app.get_option(flag)->needs("--prometheus");
}

// "75-95%", "0.75-0.95".
Result<watch::TargetRange> read_range(const std::string& typed, const char* flag) {
  const auto wrong = [&] {
    return Error{ErrorKind::usage, "must be a range of two shares, not '" + typed + "'", flag,
                 std::string("use ") + flag + " 75-95%"};
  };
  const auto minus = typed.find('-');
  if (minus == std::string::npos) return wrong();
  std::string low = typed.substr(0, minus);
  if (typed.ends_with('%') && !low.ends_with('%')) low += '%';
  const auto from = base::parse_ratio(low), to = base::parse_ratio(typed.substr(minus + 1));
  if (!from || !to || *from >= *to || *to > 1) return wrong();
  return watch::TargetRange{*from, *to};
}

Result<std::optional<base::Nanoseconds>> read_time(const std::string& typed, const char* flag) {
  if (typed.empty()) return std::optional<base::Nanoseconds>();
  const auto time = named(base::parse_duration(typed), flag);
  if (!time) return time.error();
  if (*time < kShortest) {
    return Error{ErrorKind::usage, "must be at least 100ms", flag,
                 std::string("use ") + flag + " 1s"};
  }
  return std::optional(*time);
}

// Of a short watch twelve samples, or what those parts are that it is judged by, leave time to tell
// what is bad all the time.
base::Nanoseconds interval_within(std::optional<base::Nanoseconds> duration) {
  constexpr base::Nanoseconds kUsual{std::chrono::seconds{1}};
  constexpr int kSamples = 30;
  return duration ? std::clamp(*duration / kSamples, kShortest, kUsual) : kUsual;
}

std::optional<base::Nanoseconds> window_within(std::optional<base::Nanoseconds> duration) {
  constexpr base::Nanoseconds kLongEnough{std::chrono::minutes{2}}, kLeast{std::chrono::seconds{1}};
  if (!duration || *duration >= kLongEnough) return std::nullopt;
  return std::max(*duration * 2 / 5, kLeast);
}

}  // namespace

void add_flags(CLI::App& app, MonitorFlags& flags) {
  add_what(app, flags);
  add_judging(app, flags);
  add_exports(app, flags);
  add_look(app, flags);
  tie(app);
}

Result<void> read_targets(const MonitorFlags& flags, watch::Targets& targets) {
  const auto read = [](const std::string& typed, const char* flag,
                       watch::TargetRange& target) -> Result<void> {
    if (typed.empty()) return {};
    const auto range = read_range(typed, flag);
    if (!range) return range.error();
    target = *range;
    return {};
  };
  if (auto done = read(flags.gpu_busy, "--gpu-busy", targets.gpu_busy); !done) return done;
  if (auto done = read(flags.gpu_memory, "--gpu-memory", targets.gpu_memory); !done) return done;
  return read(flags.cpu_busy, "--cpu-busy", targets.cpu_busy);
}

Result<MonitorRequest> read_flags(const MonitorFlags& flags) {
  MonitorRequest request;
  const auto interval = read_time(flags.interval, "--interval");
  if (!interval) return interval.error();
  auto duration = read_time(flags.duration, "--duration");
  if (!duration) return duration.error();
  request.duration = *duration;
  request.interval = interval->value_or(interval_within(request.duration));
  const auto window = read_time(flags.window, "--window");
  if (!window) return window.error();
  request.window = *window ? *window : window_within(request.duration);
  if (request.window) monitor::set_window(request.rules, *request.window);
  if (!flags.fail_on.empty()) {
    auto severity = named(findings::parse_severity(flags.fail_on), "--fail-on");
    if (!severity) return severity.error();
    request.fail_on = *severity;
  }
  if (auto read = read_targets(flags, request.rules.targets); !read) return read.error();
  return request;
}

}  // namespace batchscope::cli
