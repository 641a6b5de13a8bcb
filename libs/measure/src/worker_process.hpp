#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "batchscope/base/subprocess.hpp"
#include "batchscope/device/memory_limiter.hpp"
#include "batchscope/measure/process_executor.hpp"
#include "failure.hpp"
#include "protocol.hpp"

namespace batchscope::measure {

// What a worker made of a request.
struct WorkerAnswer {
  std::optional<WorkerReply> reply;  // absent: the worker ended or hung, see `end`
  WorkerEnd end;
  int64_t cpu_ns = 0;  // CPU time the worker used for this request
};

// One running worker. Destroying it ends the process and waits for it.
class WorkerProcess {
 public:
  static base::Result<std::unique_ptr<WorkerProcess>> start(
      const ProcessOptions& options, const std::map<std::string, std::string>& environment);
  ~WorkerProcess();

  // Sends a request and waits for the reply, at most `timeout_ns`. Errors: interrupted (the worker
  // is killed), failed (a reply that makes no sense).
  base::Result<WorkerAnswer> ask(const WorkerRequest& request, int64_t timeout_ns,
                                 FitnessProbe* fitness, const std::stop_token& stop);
  const std::map<std::string, std::string>& environment() const { return environment_; }

 private:
  WorkerProcess(base::Child child, std::optional<device::MemoryLimiter> limiter,
                std::map<std::string, std::string> environment);
  // The next line; nothing when the worker ended, or its deadline passed.
  base::Result<std::optional<std::string>> next_line(base::Deadline deadline,
                                                     const std::stop_token& stop);
  WorkerAnswer give_up(int64_t timeout_ns, bool overdue);

  // In this order, because the group of a limit can only be removed when the process has ended.
  std::optional<device::MemoryLimiter> limiter_;
  base::Child child_;
  std::map<std::string, std::string> environment_;
  int64_t cpu_ns_ = 0;  // used by the requests so far
};

}  // namespace batchscope::measure
