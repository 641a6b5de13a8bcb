#include "worker_process.hpp"

#include <algorithm>
#include <chrono>

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

Result<std::unique_ptr<WorkerProcess>> WorkerProcess::start(
    const ProcessOptions& options, const std::map<std::string, std::string>& environment) {
  base::ChildSpec spec;
  spec.argv = options.worker_argv;
  spec.environment = environment;
  std::optional<device::MemoryLimiter> limiter;
  if (options.memory_limit_bytes) {
    limiter = device::MemoryLimiter::create(options.root, *options.memory_limit_bytes);
    spec.data_limit_bytes = limiter->rlimit_data_bytes();
    if (const auto procs = limiter->procs_file()) spec.cgroup_procs_path = procs->string();
  }
  auto child = base::Child::spawn(spec);
  if (!child) return std::move(child).error();
  return std::unique_ptr<WorkerProcess>(
      new WorkerProcess(*std::move(child), std::move(limiter), environment));
}

WorkerProcess::WorkerProcess(base::Child child, std::optional<device::MemoryLimiter> limiter,
                             std::map<std::string, std::string> environment)
    : limiter_(std::move(limiter)),
      child_(std::move(child)),
      environment_(std::move(environment)) {}

// A worker has nothing left to do that matters once it has answered.
WorkerProcess::~WorkerProcess() {
  child_.kill();
  (void)child_.wait(in(kEndTime));
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
  answer.end.output_tail = child_.output_tail();
  return answer;
}

Result<WorkerAnswer> WorkerProcess::ask(const WorkerRequest& request, int64_t timeout_ns,
                                        FitnessProbe* fitness, const std::stop_token& stop) {
  const base::Deadline deadline = in(std::chrono::nanoseconds(timeout_ns));
  const auto passed = [deadline] { return base::Deadline::clock::now() >= deadline; };
  if (!child_.send_line(to_line(request), deadline)) return give_up(timeout_ns, passed());
  while (true) {
    auto line = next_line(deadline, stop);
    if (!line) {
      if (line.error().kind == ErrorKind::interrupted) return std::move(line).error();
      return give_up(timeout_ns, false);
    }
    if (!line->has_value()) return give_up(timeout_ns, passed());
    if (**line == kTimedLine) {
      if (fitness != nullptr) fitness->under_load(request.visit.run.device);
      (void)child_.send_line(kGoOnLine, deadline);
      continue;
    }
    auto reply = parse_reply(**line);
    if (!reply) return std::move(reply).error();
    WorkerAnswer answer;
    answer.cpu_ns = reply->cpu_ns - cpu_ns_;
    cpu_ns_ = reply->cpu_ns;
    answer.reply = *std::move(reply);
    return answer;
  }
}

}  // namespace batchscope::measure
