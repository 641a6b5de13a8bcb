#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "worker_process.hpp"

namespace batchscope::measure {

// What the workers of a visit made of it: an answer each, or that of the first that failed.
struct TeamAnswer {
  std::vector<WorkerAnswer> answers;
  std::optional<int> failed;  // which of them; `answers` then holds its answer alone
  int instances = 1;          // asked
  int64_t cpu_ns = 0;         // CPU time that all used for this request
};

// The worker processes that make the visits of a configuration: one for each of its instances.
// Several are pinned to cores of their own, and time while all of them work.
class WorkerTeam {
 public:
  // `against`: another engine that they are to load too; empty: none. Errors: failed (cannot be
  // started, or there are fewer cores than they need).
  static base::Result<std::unique_ptr<WorkerTeam>> start(const ProcessOptions& options,
                                                         const schema::RunConfig& config,
                                                         const std::string& against = "");
  // Whether these processes can make visits of the configuration too.
  bool serves(const ProcessOptions& options, const schema::RunConfig& config) const;
  // As WorkerProcess::end, of all together.
  int end();
  // As WorkerProcess::ask, of all.
  base::Result<TeamAnswer> ask(const WorkerRequest& request, int64_t timeout_ns,
                               FitnessProbe* fitness, const std::stop_token& stop);

 private:
  explicit WorkerTeam(schema::RunConfig config) : config_(std::move(config)) {}
  // Waits until all have said `line`, the most of their numbers; nothing when one answered instead.
  base::Result<std::optional<int64_t>> gather(std::string_view line, const VisitDeadline& deadline,
                                              const std::stop_token& stop, TeamAnswer& failure);

  TeamAnswer failure_of(WorkerAnswer answer, std::size_t index) const;

  schema::RunConfig config_;
  std::vector<std::string> argv_;
  std::vector<std::unique_ptr<WorkerProcess>> workers_;
};

}  // namespace batchscope::measure
