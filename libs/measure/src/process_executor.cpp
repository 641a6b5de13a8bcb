#include "batchscope/measure/process_executor.hpp"

#include <algorithm>
#include <chrono>

#include "batchscope/base/subprocess.hpp"
#include "batchscope/device/memory_limiter.hpp"
#include "batchscope/engine/clock.hpp"
#include "failure.hpp"
#include "protocol.hpp"
#include "worker_process.hpp"

namespace batchscope::measure {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

class ProcessExecutor final : public VisitExecutor {
 public:
  explicit ProcessExecutor(ProcessOptions options) : options_(std::move(options)) {}

  Result<VisitOutcome> visit(const VisitRequest& request, std::stop_token stop) override;
  void end_block() override { worker_.reset(); }

 private:
  Result<WorkerProcess*> worker_for(const VisitRequest& request);
  Result<VisitOutcome> outcome_of(WorkerAnswer answer, int64_t wall_ns);

  ProcessOptions options_;
  std::unique_ptr<WorkerProcess> worker_;  // kept between the visits of a block
};

// In a diagnosis threads that wait for others are to sleep, so that the CPU time of a thread is the
// work it did.
std::map<std::string, std::string> environment_of(const VisitRequest& request) {
  auto environment = request.run.environment;
  if (request.purpose == schema::Purpose::diagnostic) {
    environment.emplace("OMP_WAIT_POLICY", "passive");
  }
  return environment;
}

// A process has one environment, so a configuration with another one needs another process.
Result<WorkerProcess*> ProcessExecutor::worker_for(const VisitRequest& request) {
  const auto environment = environment_of(request);
  if (worker_ && worker_->environment() == environment) return worker_.get();
  worker_.reset();
  auto started = WorkerProcess::start(options_, environment);
  if (!started) return std::move(started).error();
  worker_ = *std::move(started);
  return worker_.get();
}

Result<VisitOutcome> ProcessExecutor::visit(const VisitRequest& request, std::stop_token stop) {
  if (stop.stop_requested()) return Error{ErrorKind::interrupted, "interrupted", "", ""};
  FitnessProbe* fitness = options_.fitness;
  if (fitness != nullptr) fitness->start();
  const int64_t start = engine::steady_clock().now_ns();
  auto worker = worker_for(request);
  if (!worker) return std::move(worker).error();
  auto answer = (*worker)->ask({request, start}, options_.timeout_ns, fitness, stop);
  if (!answer) {
    worker_.reset();
    return std::move(answer).error();
  }
  const int64_t living_cpu_ns = answer->cpu_ns;
  const bool keep = options_.one_process_a_block && answer->reply && answer->reply->visit;
  if (!keep) worker_.reset();
  const schema::Fitness seen =
      fitness == nullptr ? schema::Fitness{} : fitness->finish(keep ? living_cpu_ns : 0);
  auto outcome = outcome_of(*std::move(answer), engine::steady_clock().now_ns() - start);
  if (!outcome) return outcome;
  if (auto* visit = std::get_if<schema::Visit>(&*outcome)) {
    visit->config = request.config;
    visit->block = request.block;
    visit->order = request.order;
    visit->attempt = request.attempt;
    visit->purpose = request.purpose;
    // The state of this machine has no bearing on virtual time.
    if (visit->clock != "virtual") visit->fitness = seen;
  }
  return outcome;
}

Result<VisitOutcome> ProcessExecutor::outcome_of(WorkerAnswer answer, int64_t wall_ns) {
  if (!answer.reply) return VisitOutcome(VisitFailure{event_of(answer.end), wall_ns});
  WorkerReply& reply = *answer.reply;
  if (reply.fatal) {
    return Error{ErrorKind::failed, reply.failure->message, "", reply.failure->fix};
  }
  if (reply.virtual_time) wall_ns = reply.wall_ns;
  if (reply.failure) return VisitOutcome(VisitFailure{*std::move(reply.failure), wall_ns});
  reply.visit->wall_ns = wall_ns;
  return VisitOutcome(*std::move(reply.visit));
}

}  // namespace

std::unique_ptr<VisitExecutor> make_process_executor(ProcessOptions options) {
  return std::make_unique<ProcessExecutor>(std::move(options));
}

MemoryLimitChoice choose_memory_limit(const base::SystemRoot& root, int64_t bytes) {
  const auto limiter = device::MemoryLimiter::create(root, bytes);
  return {std::string(device::to_string(limiter.kind())), limiter.explanation()};
}

}  // namespace batchscope::measure
