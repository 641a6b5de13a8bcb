#include "batchscope/monitor/live.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <system_error>
#include <utility>

#include "batchscope/base/subprocess.hpp"
#include "batchscope/monitor/watched_command.hpp"
#include "batchscope/stepfeed/step_feed.hpp"
#include "sinks/totals_sink.hpp"

namespace batchscope::monitor {
namespace {

class FeedSource : public TrainingStepSource {
 public:
  FeedSource(stepfeed::StepFeed feed, std::shared_ptr<base::WaitableClock> clock)
      : feed_(std::move(feed)), clock_(std::move(clock)) {}

  std::vector<telemetry::TrainingStep> take() override { return feed_.poll(clock_->now_ns()); }
  std::string problem() const override { return feed_.counts().first_problem; }

 private:
  stepfeed::StepFeed feed_;
  std::shared_ptr<base::WaitableClock> clock_;
};

// A regular file, or one that is to be made and is called as one: no socket.
bool is_file(const std::filesystem::path& path) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  if (std::filesystem::exists(status)) return !std::filesystem::is_socket(status);
  constexpr std::array kOfFiles = {".jsonl", ".json", ".log", ".csv", ".txt"};
  return std::ranges::find(kOfFiles, path.extension()) != kOfFiles.end();
}

// Where training loops tell their steps: a file is followed, else a Unix socket is made. Errors:
// those of stepfeed::StepFeed.
base::Result<std::unique_ptr<TrainingStepSource>> step_source(
    const std::filesystem::path& path, std::shared_ptr<base::WaitableClock> clock) {
  auto feed = is_file(path) ? stepfeed::StepFeed::follow(path) : stepfeed::StepFeed::listen(path);
  if (!feed) return std::move(feed).error();
  return std::unique_ptr<TrainingStepSource>(
      std::make_unique<FeedSource>(*std::move(feed), std::move(clock)));
}

}  // namespace

struct Live::State {
  explicit State(LiveOptions of) : options(std::move(of)), session(options.rules) {}

  LiveOptions options;
  std::shared_ptr<base::WaitableClock> clock = base::steady_epoch_clock();
  MonitorSession session;
  Outputs outputs;
  std::unique_ptr<TrainingStepSource> steps;
  std::optional<WatchedCommand> command;
  std::unique_ptr<Sampler> sampler;
  TotalsSink totals;

  base::Result<void> open() {
    if (options.run.pid && !base::process_exists(*options.run.pid)) {
      return base::Error{base::ErrorKind::input, "no such process",
                         fmt::format("pid {}", *options.run.pid),
                         "give the id of a running process (pgrep)"};
    }
    auto opened = Outputs::open(options.outputs, clock->now_ns());
    if (!opened) return std::move(opened).error();
    outputs = *std::move(opened);
    if (!options.steps.empty()) {
      auto source = step_source(options.steps, clock);
      if (!source) return std::move(source).error();
      steps = *std::move(source);
    }
    if (auto started = start_command(); !started) return started;
    SamplerOptions sampled;
    sampled.interval = options.run.interval;
    sampled.pid = command ? command->pid() : options.run.pid;
    sampler = open_sampler(sampled, clock);
    return {};
  }

  base::Result<void> start_command() {
    if (options.command.empty()) return {};
    auto started = WatchedCommand::start(options.command);
    if (!started) return std::move(started).error();
    command.emplace(*std::move(started));
    return {};
  }
};

Live::Live(std::unique_ptr<State> state) : state_(std::move(state)) {}
Live::~Live() = default;

base::Result<std::unique_ptr<Live>> Live::open(LiveOptions options) {
  auto state = std::make_unique<State>(std::move(options));
  if (auto opened = state->open(); !opened) return std::move(opened).error();
  return std::unique_ptr<Live>(new Live(std::move(state)));
}

std::string Live::address() const {
  const auto* const server = state_->outputs.server();
  return server == nullptr ? std::string() : server->address();
}

std::vector<std::string> Live::warnings() const {
  const auto* const server = state_->outputs.server();
  return server == nullptr ? std::vector<std::string>() : server->warnings();
}

RunResult Live::run(const std::stop_token& stop, const std::vector<Sink*>& more,
                    const std::function<void(const std::string& line)>& warn,
                    const std::function<int()>& signal) {
  State& state = *state_;
  RunParts parts{state.session, *state.sampler, state.steps.get(), nullptr, {}, warn, {}};
  if (state.command) parts.command = &*state.command;
  parts.sinks = state.outputs.sinks();
  parts.sinks.push_back(&state.totals);
  parts.sinks.insert(parts.sinks.end(), more.begin(), more.end());
  parts.stopped = [&] {
    const int sent = signal ? signal() : 0;
    if (state.command && sent != 0) state.command->pass_on(sent);
  };
  return monitor::run(state.options.run, parts, stop);
}

const MonitorSession& Live::session() const {
  return state_->session;
}

MonitorSummary Live::summary() const {
  auto summary = state_->totals.summary(host_name(), state_->session.all());
  summary.min_detection_seconds = state_->session.min_detection_seconds(
      std::chrono::duration<double>(state_->options.run.interval).count());
  return summary;
}

}  // namespace batchscope::monitor
