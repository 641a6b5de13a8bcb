#include "worker_team.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "batchscope/base/counted.hpp"

namespace batchscope::measure {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

// The cores of instance `index` out of those that may be handed out; empty: not pinned.
std::vector<int> cores_of(const ProcessOptions& options, const schema::RunConfig& config,
                          int index) {
  if (options.cpus.empty() || config.instances <= 1) return {};
  const auto first = options.cpus.begin() + std::ptrdiff_t{index} * config.threads;
  return {first, first + config.threads};
}

Result<void> check_cores(const ProcessOptions& options, const schema::RunConfig& config) {
  const auto needed = int64_t{config.instances} * config.threads;
  if (options.cpus.empty() || config.instances <= 1 ||
      needed <= static_cast<int64_t>(options.cpus.size())) {
    return {};
  }
  return Error{
      ErrorKind::failed,
      fmt::format("{} instances of {} need {} cores, but only {} are available", config.instances,
                  base::counted(config.threads, "thread"), needed, options.cpus.size()),
      schema::describe(config), "measure fewer --instances or --threads here"};
}

// A process of the program cannot load what needs another, while that can load what the program
// can.
std::vector<std::string> worker_for(const ProcessOptions& options, const std::string& engine,
                                    const std::string& against) {
  for (const std::string& each : {engine, against}) {
    const auto own = options.workers_of.find(each);
    if (own != options.workers_of.end()) return own->second;
  }
  return options.worker_argv;
}

bool did_its_part(const WorkerAnswer& answer) {
  return answer.reply && !answer.reply->failure;
}

}  // namespace

Result<std::unique_ptr<WorkerTeam>> WorkerTeam::start(const ProcessOptions& options,
                                                      const schema::RunConfig& config,
                                                      const std::string& against) {
  if (auto enough = check_cores(options, config); !enough) return enough.error();
  std::unique_ptr<WorkerTeam> team(new WorkerTeam(config));
  team->argv_ = worker_for(options, config.engine, against);
  for (int i = 0; i < std::max(config.instances, 1); ++i) {
    auto worker = WorkerProcess::start(options, team->argv_, config.environment,
                                       cores_of(options, config, i));
    if (!worker) return std::move(worker).error();
    team->workers_.push_back(*std::move(worker));
  }
  return team;
}

int WorkerTeam::end() {
  int left_behind = 0;
  for (const auto& worker : workers_) left_behind += worker->end();
  return left_behind;
}

TeamAnswer WorkerTeam::failure_of(WorkerAnswer answer, std::size_t index) const {
  TeamAnswer team;
  team.instances = static_cast<int>(workers_.size());
  team.cpu_ns = answer.cpu_ns;
  team.answers.push_back(std::move(answer));
  team.failed = static_cast<int>(index);
  return team;
}

// A process has one set of cores, too.
bool WorkerTeam::serves(const ProcessOptions& options, const schema::RunConfig& config) const {
  const bool pinned = config_.instances > 1;
  return argv_ == worker_for(options, config.engine, "") &&
         schema::process_of(config) == schema::process_of(config_) &&
         config.instances == config_.instances && (!pinned || config.threads == config_.threads);
}

Result<std::optional<int64_t>> WorkerTeam::gather(std::string_view line,
                                                  const VisitDeadline& deadline,
                                                  const std::stop_token& stop,
                                                  TeamAnswer& failure) {
  int64_t most = 0;
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    auto word = workers_[i]->listen(deadline, stop);
    if (!word) return std::move(word).error();
    if (word->answer) {
      failure = failure_of(*std::move(word->answer), i);
      return std::optional<int64_t>();
    }
    const auto number = number_of(line, word->line);
    if (!number) {
      failure = failure_of(workers_[i]->give_up_foreign(word->line), i);
      return std::optional<int64_t>();
    }
    most = std::max(most, *number);
  }
  return std::optional(most);
}

Result<TeamAnswer> WorkerTeam::ask(const WorkerRequest& request, int64_t timeout_ns,
                                   FitnessProbe* fitness, const std::stop_token& stop) {
  if (workers_.size() == 1) {
    auto answer = workers_.front()->ask(request, timeout_ns, fitness, stop);
    if (!answer) return std::move(answer).error();
    if (!did_its_part(*answer)) return failure_of(*std::move(answer), 0);
    const int64_t cpu_ns = answer->cpu_ns;
    TeamAnswer alone;
    alone.cpu_ns = cpu_ns;
    alone.answers.push_back(*std::move(answer));
    return alone;
  }
  const VisitDeadline deadline(timeout_ns);
  TeamAnswer team;
  WorkerRequest one = request;
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    one.visit.context.instance = static_cast<int>(i);
    if (auto gone = workers_[i]->send(one, deadline)) return failure_of(*std::move(gone), i);
  }
  for (const std::string_view line : {kReadyLine, kTimedLine}) {
    const auto agreed = gather(line, deadline, stop, team);
    if (!agreed) return agreed.error();
    if (!*agreed) return team;
    // All of them still work.
    if (line == kTimedLine && fitness != nullptr) {
      fitness->under_load(request.visit.run.device, request.visit.run.instances);
    }
    for (const auto& worker : workers_) worker->say(numbered(kGoOnLine, **agreed), deadline);
  }
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    auto word = workers_[i]->listen(deadline, stop);
    if (!word) return std::move(word).error();
    if (!word->answer) word->answer = workers_[i]->give_up_foreign(word->line);
    if (!did_its_part(*word->answer)) return failure_of(*std::move(word->answer), i);
    team.cpu_ns += word->answer->cpu_ns;
    team.answers.push_back(*std::move(word->answer));
  }
  return team;
}

}  // namespace batchscope::measure
