#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <memory>

#include "batchscope/base/terminal.hpp"
#include "batchscope/commandline/standard_streams.hpp"
#include "batchscope/monitor/live.hpp"
#include "batchscope/monitor/replay.hpp"
#include "batchscope/monitor_report/plain_lines.hpp"
#include "batchscope/monitor_report/summary.hpp"
#include "batchscope/monitor_report/together.hpp"
#include "command.hpp"
#include "install_paths.hpp"
#include "monitor/monitor_flags.hpp"
#include "output.hpp"
#include "progress/monitor_lines.hpp"
#include "progress/monitor_screen.hpp"

namespace batchscope::cli {
namespace {

using Findings = std::vector<watch::ActiveFinding>;

bool shows_utf8(const MonitorFlags& flags) {
  return !flags.ascii && base::shows_utf8();
}

int code_of(const Findings& findings, const MonitorRequest& request) {
  for (const auto& each : findings) {
    if (request.fail_on && each.finding.severity >= *request.fail_on) return kFindingReached;
  }
  return kDone;
}

std::string in_words(const monitor::MonitorSummary& summary, const MonitorFlags& flags) {
  if (flags.format == Format::json) return monitor_report::summary_json(summary) + "\n";
  return monitor_report::summary_text(summary, shows_utf8(flags));
}

// As it was judged when it was recorded, but for what is typed now.
base::Result<monitor::MonitorOptions> rules_of(const telemetry::LogHeader& header,
                                               const MonitorFlags& flags,
                                               const MonitorRequest& request) {
  monitor::MonitorOptions rules = monitor::as_judged(header);
  if (request.window) monitor::set_window(rules, *request.window);
  if (auto read = read_targets(flags, rules.targets); !read) return read.error();
  return rules;
}

int show_recorded(const MonitorFlags& flags, const MonitorRequest& request, const base::Log& log) {
  const auto recorded = monitor::read_log_file(flags.replay);
  if (!recorded) return fail(log, recorded.error());
  for (const std::string& doubt : recorded->doubts) log.warning(doubt);
  if (!recorded->note.empty()) log.info(recorded->note);
  const auto rules = rules_of(recorded->log.header, flags, request);
  if (!rules) return fail(log, rules.error());
  monitor::MonitorSession session(*rules);
  const auto summary = monitor::summary_of(recorded->log, session);
  const auto written = write_output({}, in_words(summary, flags));
  return written ? code_of(summary.findings, request) : fail(log, written.error());
}

monitor::LiveOptions live_options(const MonitorFlags& flags, const MonitorRequest& request) {
  monitor::LiveOptions options;
  options.rules = request.rules;
  options.steps = flags.steps;
  options.command = flags.command;
  options.run.interval = request.interval;
  options.run.duration = request.duration;
  options.run.pid = flags.pid;
  if (flags.once) options.run.most_samples = 2;
  monitor::OutputOptions& outputs = options.outputs = flags.outputs;
  if (flags.compat == "dcgm") outputs.names = exporter::Names::dcgm;
  outputs.interval = request.interval;
  outputs.tool_version = this_program().version;
  outputs.rules = request.rules;
  outputs.window = request.window.value_or(base::Nanoseconds{0});
  outputs.command = flags.command;
  return options;
}

// While it runs; nothing where only the end is asked for, or a command has the terminal.
std::unique_ptr<monitor::Sink> shown(const MonitorFlags& flags, const monitor::Live& live,
                                     commandline::Interrupt& interrupt) {
  const bool silent = flags.format != Format::text || flags.once || flags.quiet;
  if (silent || !flags.command.empty()) return nullptr;
  const bool screen = !flags.plain && ::isatty(STDOUT_FILENO) != 0;
  if (!screen || !base::rewrites_lines(STDOUT_FILENO)) {
    const auto print = [&interrupt](std::string_view text) {
      auto printed = commandline::print(text);
      if (commandline::reader_left()) interrupt.stop();
      return printed;
    };
    return std::make_unique<MonitorLines>(print);
  }
  monitor_report::View view;
  view.host = monitor::host_name();
  view.exporter = live.address();
  if (flags.pid) view.watched = "pid " + std::to_string(*flags.pid);
  const bool colour = !flags.no_color && base::shows_colour(STDOUT_FILENO);
  return std::make_unique<MonitorScreen>(std::move(view), colour, shows_utf8(flags));
}

std::string once_text(const monitor::MonitorSession& session) {
  const telemetry::Sample& sample = session.last().sample;
  std::string text = monitor_report::sample_line(sample, nullptr) + "\n";
  if (!sample.gpu_absent.empty()) text += "cannot query any GPU: " + sample.gpu_absent + "\n";
  const auto findings = monitor_report::merged_findings(session.all());
  for (const auto& each : findings) {
    text += monitor_report::finding_line(each) + "\n";
  }
  if (!findings.empty()) return text;
  text += sample.gpu_absent.empty() ? "no fault found" : "no other fault found";
  text += "; to find what is slow or idle, use --duration 60s\n";
  return text;
}

std::string reported(const monitor::Live& live, const MonitorFlags& flags) {
  if (!flags.once) return in_words(live.summary(), flags);
  if (flags.format != Format::json) return once_text(live.session());
  const auto& session = live.session();
  return monitor_report::reading_json(monitor::host_name(), session.last().sample, session.all()) +
         "\n";
}

// What a command printed stays its own: what is told goes beside it.
int end(const monitor::Live& live, const monitor::RunResult& result, const MonitorFlags& flags,
        const MonitorRequest& request, const base::Log& log) {
  const std::string text = reported(live, flags);
  const int code = code_of(live.session().all(), request);
  if (flags.command.empty()) {
    const auto written = write_output({}, text);
    return written ? code : fail(log, written.error());
  }
  if (!flags.quiet) std::fwrite(text.data(), 1, text.size(), stderr);
  return result.exit_code.value_or(kFailed) == kDone ? code : result.exit_code.value_or(kFailed);
}

int watch_now(const MonitorFlags& flags, const MonitorRequest& request, const base::Log& log) {
  commandline::Interrupt interrupt(log);
  interrupt.watch({SIGQUIT});
  const auto live = monitor::Live::open(live_options(flags, request));
  if (!live) return fail(log, live.error());
  for (const std::string& line : (*live)->warnings()) log.warning(line);
  if (!(*live)->address().empty()) log.info("metrics: " + (*live)->address() + "/metrics");
  auto sink = shown(flags, **live, interrupt);
  std::vector<monitor::Sink*> more;
  if (sink) more.push_back(sink.get());
  const auto result = (*live)->run(
      interrupt.token(), more, [&](const std::string& line) { log.warning(line); },
      [&] { return interrupt.sent_signal(); });
  sink.reset();  // the terminal has its own screen again
  if (!flags.steps.empty() && (*live)->session().steps().sources().empty()) {
    log.warning("received no training step from " + flags.steps.string());
  }
  return end(**live, result, flags, request, log);
}

}  // namespace

int monitor_verb(const std::vector<std::string>& arguments) {
  MonitorFlags flags;
  Command command("monitor",
                  "Watch GPUs, the machine and a training loop: live problems, their causes, and "
                  "what to do. Can export to Prometheus, TensorBoard and a log file.");
  command.usual({"--pid", "--duration", "--once", "--prometheus", "--record", "--replay"});
  command.examples({"batchscope monitor --duration 1min", "batchscope monitor --prometheus :9400"});
  add_flags(command.app(), flags);
  int exit = kDone;
  if (!command.parse(arguments, exit)) return exit;
  const base::Log log = make_log(flags.quiet);
  const auto request = read_flags(flags);
  if (!request) return fail(log, request.error());
  return flags.replay.empty() ? watch_now(flags, *request, log)
                              : show_recorded(flags, *request, log);
}

}  // namespace batchscope::cli
