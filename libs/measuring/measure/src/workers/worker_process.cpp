#include "worker_process.hpp"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>

#include "batchscope/base/line_channel.hpp"
#include "batchscope/base/strings.hpp"

namespace batchscope::measure {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

// How often the parent looks whether it is to stop; rare enough not to disturb the worker.
constexpr auto kLookAround = std::chrono::milliseconds(100);
// For a worker that has answered, or is killed, to be gone.
constexpr auto kEndTime = std::chrono::seconds(10);

base::Deadline in(std::chrono::nanoseconds time) {
  return base::Deadline::clock::now() + time;
}

Error interrupted() {
  return {ErrorKind::interrupted, "interrupted", "", ""};
}

}  // namespace

VisitDeadline::VisitDeadline(int64_t timeout)
    : timeout_ns(timeout), at(in(std::chrono::nanoseconds(timeout))) {}

bool VisitDeadline::passed() const {
  return base::Deadline::clock::now() >= at;
}

Result<std::unique_ptr<WorkerProcess>> WorkerProcess::start(
    const ProcessOptions& options, const std::vector<std::string>& argv,
    const std::map<std::string, std::string>& environment, const std::vector<int>& cpus) {
  base::ChildSpec spec;
  spec.argv = argv;
  spec.environment = environment;
  spec.cpus = cpus;
  std::optional<host::MemoryLimiter> limiter;
  if (options.memory_limit_bytes) {
    limiter = host::MemoryLimiter::create(options.root, *options.memory_limit_bytes);
    limiter->confine(spec);
  }
  auto child = base::Child::spawn(spec);
  if (!child) return std::move(child).error();
  return std::unique_ptr<WorkerProcess>(new WorkerProcess(*std::move(child), std::move(limiter)));
}

WorkerProcess::WorkerProcess(base::Child child, std::optional<host::MemoryLimiter> limiter)
    : limiter_(std::move(limiter)), child_(std::move(child)) {}

// A worker has nothing left to do that matters once it has answered.
int WorkerProcess::end() {
  child_.kill();
  const auto exit = child_.wait(in(kEndTime));
  return exit ? exit->left_behind : 0;
}

Result<std::optional<std::string>> WorkerProcess::next_line(base::Deadline deadline,
                                                            const std::stop_token& stop) {
  while (true) {
    if (stop.stop_requested()) return interrupted();
    auto line = child_.receive_line(std::min(deadline, in(kLookAround)));
    if (line) return line;
    if (!child_.timed_out()) return line;
    if (base::Deadline::clock::now() >= deadline) return std::optional<std::string>();
  }
}

WorkerAnswer WorkerProcess::give_up(int64_t timeout_ns, bool overdue) {
  WorkerAnswer answer;
  if (overdue) child_.kill();
  const auto exit = child_.wait(in(kEndTime));
  if (exit) answer.end.exit = *exit;
  answer.end.overdue = overdue;
  answer.end.timeout_ns = timeout_ns;
  answer.end.oom_killed = limiter_ && limiter_->outcome().oom_killed;
  answer.end.has_group = limiter_ && limiter_->procs_file().has_value();
  answer.end.output_tail = child_.output_tail();
  return answer;
}

WorkerAnswer WorkerProcess::give_up_foreign(std::string_view written) {
  constexpr std::size_t kMost = 60;
  WorkerAnswer answer = give_up(0, true);
  answer.end.foreign = "'" + base::visible(written.substr(0, kMost)) + "'";
  return answer;
}

std::optional<WorkerAnswer> WorkerProcess::send(const WorkerRequest& request,
                                                const VisitDeadline& deadline) {
  asked_ = request;
  asked_.secret = base::new_secret();
  if (child_.send_line(to_line(asked_), deadline.at)) return std::nullopt;
  return give_up(deadline.timeout_ns, deadline.passed());
}

void WorkerProcess::say(const std::string& line, const VisitDeadline& deadline) {
  (void)child_.send_line(line, deadline.at);
}

Result<WorkerWord> WorkerProcess::listen(const VisitDeadline& deadline,
                                         const std::stop_token& stop) {
  auto line = next_line(deadline.at, stop);
  if (!line) {
    if (line.error().kind == ErrorKind::interrupted) return std::move(line).error();
    WorkerAnswer answer = give_up(0, true);
    answer.end.foreign = line.error().what;
    return WorkerWord{{}, std::move(answer)};
  }
  if (!line->has_value()) return WorkerWord{{}, give_up(deadline.timeout_ns, deadline.passed())};
  const auto stated = base::unmarked(**line, asked_.secret);
  if (!stated) return WorkerWord{{}, give_up_foreign(**line)};
  if (stated->starts_with(kReadyLine) || stated->starts_with(kTimedLine))
    return WorkerWord{*stated, {}};
  auto reply = parse_reply(*stated);
  if (!reply || !answers(*reply, asked_)) return WorkerWord{{}, give_up_foreign(*stated)};
  WorkerAnswer answer;
  answer.cpu_ns = reply->cpu_ns - cpu_ns_;
  cpu_ns_ = reply->cpu_ns;
  answer.reply = *std::move(reply);
  if (limiter_) answer.peak_group_bytes = limiter_->outcome().peak_bytes;
  return WorkerWord{{}, std::move(answer)};
}

Result<WorkerAnswer> WorkerProcess::ask(const WorkerRequest& request, int64_t timeout_ns,
                                        FitnessProbe* fitness, const std::stop_token& stop) {
  const VisitDeadline deadline(timeout_ns);
  if (auto gone = send(request, deadline)) return *std::move(gone);
  while (true) {
    auto word = listen(deadline, stop);
    if (!word) return std::move(word).error();
    if (word->answer) return *std::move(word->answer);
    if (fitness != nullptr) fitness->under_load(request.visit.run.device, 1);
    say(std::string(kGoOnLine), deadline);
  }
}

}  // namespace batchscope::measure
