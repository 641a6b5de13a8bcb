#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/base/subprocess.hpp"
#include "batchscope/host/memory_limiter.hpp"
#include "batchscope/measure/process_executor.hpp"
#include "failure.hpp"
#include "protocol.hpp"

namespace batchscope::measure {

// What a worker made of a request.
struct WorkerAnswer {
  std::optional<WorkerReply> reply;  // absent: the worker ended or hung, see `end`
  WorkerEnd end;
  int64_t cpu_ns = 0;                         // CPU time the worker used for this request
  std::optional<int64_t> peak_group_bytes{};  // since it started; absent without a memory group
};

// By when a visit has to be over.
struct VisitDeadline {
  explicit VisitDeadline(int64_t timeout);
  int64_t timeout_ns;
  base::Deadline at;
  bool passed() const;
};

// What a worker says: a line between request and reply, or its answer.
struct WorkerWord {
  std::string line;
  std::optional<WorkerAnswer> answer;
};

// One running worker. Destroying it ends the process and waits for it.
class WorkerProcess {
 public:
  // `argv`: what is started; `cpus`: where it may run; empty: where this process may.
  static base::Result<std::unique_ptr<WorkerProcess>> start(
      const ProcessOptions& options, const std::vector<std::string>& argv,
      const std::map<std::string, std::string>& environment, const std::vector<int>& cpus = {});
  ~WorkerProcess() { end(); }
  // Ends it before that. How many processes it had started and detached, which ended with it.
  int end();

  // Sends a request and waits for the reply, at most `timeout_ns`. Errors: interrupted (the worker
  // is killed), failed (a reply that makes no sense).
  base::Result<WorkerAnswer> ask(const WorkerRequest& request, int64_t timeout_ns,
                                 FitnessProbe* fitness, const std::stop_token& stop);

  // The same in steps, for one of several instances. Sends a request; what became of the worker
  // when it did not take it.
  std::optional<WorkerAnswer> send(const WorkerRequest& request, const VisitDeadline& deadline);
  // Its next word. Errors as ask().
  base::Result<WorkerWord> listen(const VisitDeadline& deadline, const std::stop_token& stop);
  void say(const std::string& line, const VisitDeadline& deadline);
  // Somebody else has written this into its connection.
  WorkerAnswer give_up_foreign(std::string_view written);

 private:
  WorkerProcess(base::Child child, std::optional<host::MemoryLimiter> limiter);
  // The next line; nothing when the worker ended, or its deadline passed.
  base::Result<std::optional<std::string>> next_line(base::Deadline deadline,
                                                     const std::stop_token& stop);
  WorkerAnswer give_up(int64_t timeout_ns, bool overdue);

  // In this order, because the group of a limit can only be removed when the process has ended.
  std::optional<host::MemoryLimiter> limiter_;
  base::Child child_;
  WorkerRequest asked_;  // the last
  int64_t cpu_ns_ = 0;   // used by the requests so far
};

}  // namespace batchscope::measure
