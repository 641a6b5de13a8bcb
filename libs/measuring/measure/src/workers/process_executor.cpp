#include "batchscope/measure/process_executor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <utility>

#include "batchscope/base/subprocess.hpp"
#include "batchscope/engine/clock.hpp"
#include "batchscope/engine/description.hpp"
#include "batchscope/host/memory_limiter.hpp"
#include "failure.hpp"
#include "protocol.hpp"
#include "together.hpp"
#include "worker_team.hpp"

namespace batchscope::measure {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

// One instance of several that failed has failed for all.
Result<VisitOutcome> failure_of(TeamAnswer& team, int64_t wall_ns) {
  WorkerAnswer& answer = team.answers.front();
  schema::Event event;
  bool killed_for_unknown = false;
  if (!answer.reply) {
    event = event_of(answer.end);
    killed_for_unknown = event.kind == schema::EventKind::crash &&
                         answer.end.exit.signal == SIGKILL && !answer.end.has_group;
  } else if (answer.reply->fatal) {
    const schema::Event& failure = *answer.reply->failure;
    return Error{ErrorKind::failed, failure.what, "", failure.fix};
  } else {
    if (answer.reply->virtual_time) wall_ns = answer.reply->wall_ns;
    event = *std::move(answer.reply->failure);
  }
  if (team.instances > 1) {
    event.what = fmt::format("instance {} of {}: {}", *team.failed + 1, team.instances, event.what);
  }
  return VisitOutcome(VisitFailure{std::move(event), wall_ns, killed_for_unknown});
}

class ProcessExecutor final : public VisitExecutor {
 public:
  explicit ProcessExecutor(ProcessOptions options) : options_(std::move(options)) {}

  Result<VisitOutcome> visit(const VisitRequest& request, std::stop_token stop) override;
  Result<CompareOutcome> compare(const VisitRequest& request, const std::stop_token& stop) override;
  void end_block() override { end_team(); }
  int take_left_behind() override { return std::exchange(left_behind_, 0); }

 private:
  Result<WorkerTeam*> team_for(const VisitRequest& request);
  Result<VisitOutcome> outcome_of(TeamAnswer team, int64_t wall_ns);
  void end_team();

  ProcessOptions options_;
  std::unique_ptr<WorkerTeam> team_;  // kept between the visits of a block
  int left_behind_ = 0;
};

void ProcessExecutor::end_team() {
  if (auto team = std::exchange(team_, nullptr)) left_behind_ += team->end();
}

// Threads that wait for others are to sleep where the CPU time of a thread is to be the work it
// did. They take longer to wake, so the tracer's visit leaves them as they are.
schema::RunConfig hosted(const VisitRequest& request, const engine::InstallPaths& places) {
  schema::RunConfig config = request.run;
  if (request.purpose != schema::Purpose::diagnostic || request.traced) return config;
  if (const auto described = engine::find_description(config.engine, places)) {
    const auto& needed = described->environment_when_watched;
    config.environment.insert(needed.begin(), needed.end());
  }
  return config;
}

Result<WorkerTeam*> ProcessExecutor::team_for(const VisitRequest& request) {
  const schema::RunConfig config = hosted(request, options_.places);
  if (team_ && team_->serves(options_, config)) return team_.get();
  end_team();
  auto started = WorkerTeam::start(options_, config);
  if (!started) return std::move(started).error();
  team_ = *std::move(started);
  return team_.get();
}

Result<VisitOutcome> ProcessExecutor::visit(const VisitRequest& request, std::stop_token stop) {
  if (stop.stop_requested()) return Error{ErrorKind::interrupted, "interrupted", "", ""};
  FitnessProbe* fitness = options_.fitness;
  if (fitness != nullptr) fitness->start();
  const int64_t start = engine::steady_clock().now_ns();
  auto team = team_for(request);
  if (!team) return std::move(team).error();
  auto answer = (*team)->ask({request, start}, options_.timeout_ns, fitness, stop);
  if (!answer) {
    end_team();
    return std::move(answer).error();
  }
  const int64_t living_cpu_ns = answer->cpu_ns;
  const bool keep = options_.one_process_a_block && !answer->failed;
  if (!keep) end_team();
  const schema::Fitness seen =
      fitness == nullptr ? schema::Fitness{} : fitness->finish(keep ? living_cpu_ns : 0);
  auto outcome = outcome_of(*std::move(answer), engine::steady_clock().now_ns() - start);
  if (!outcome) return outcome;
  if (auto* visit = std::get_if<schema::Visit>(&*outcome)) {
    // The state of this machine has no bearing on virtual time.
    if (visit->clock != schema::ClockKind::virtual_time) visit->fitness = seen;
  }
  return outcome;
}

// In a process of its own: two engines in one are not what is timed.
Result<CompareOutcome> ProcessExecutor::compare(const VisitRequest& request,
                                                const std::stop_token& stop) {
  if (stop.stop_requested()) return Error{ErrorKind::interrupted, "interrupted", "", ""};
  end_team();
  const int64_t start = engine::steady_clock().now_ns();
  auto team =
      WorkerTeam::start(options_, request.run, request.against ? request.against->run.engine : "");
  if (!team) return std::move(team).error();
  auto answer = (*team)->ask({request, start}, options_.timeout_ns, nullptr, stop);
  if (!answer) return std::move(answer).error();
  if (!answer->failed) return CompareOutcome(*answer->answers.front().reply->outputs);
  auto failure = failure_of(*answer, engine::steady_clock().now_ns() - start);
  if (!failure) return std::move(failure).error();
  return CompareOutcome(std::get<VisitFailure>(*std::move(failure)));
}

Result<VisitOutcome> ProcessExecutor::outcome_of(TeamAnswer team, int64_t wall_ns) {
  if (team.failed) return failure_of(team, wall_ns);
  std::vector<schema::Visit> visits;
  int64_t virtual_ns = 0;
  for (WorkerAnswer& answer : team.answers) {
    WorkerReply& reply = *answer.reply;
    if (reply.virtual_time) virtual_ns = std::max(virtual_ns, reply.wall_ns);
    reply.visit->memory.peak_group_bytes = answer.peak_group_bytes;
    visits.push_back(*std::move(reply.visit));
  }
  schema::Visit visit = together(std::move(visits));
  visit.wall_ns = visit.clock == schema::ClockKind::virtual_time ? virtual_ns : wall_ns;
  return VisitOutcome(std::move(visit));
}

}  // namespace

std::unique_ptr<VisitExecutor> make_process_executor(ProcessOptions options) {
  return std::make_unique<ProcessExecutor>(std::move(options));
}

MemoryLimitChoice choose_memory_limit(const base::SystemRoot& root, int64_t bytes) {
  const auto limiter = host::MemoryLimiter::create(root, bytes);
  return {std::string(host::to_string(limiter.kind())), limiter.explanation()};
}

}  // namespace batchscope::measure
