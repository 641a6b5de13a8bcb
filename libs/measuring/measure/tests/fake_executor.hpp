#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "batchscope/measure/executor.hpp"
#include "batchscope/measure/session.hpp"

namespace batchscope::measure {

// Answers from a function, and keeps what it was asked.
class FakeExecutor final : public VisitExecutor {
 public:
  using Answer = std::function<base::Result<VisitOutcome>(const VisitRequest&)>;
  explicit FakeExecutor(Answer answer) : answer_(std::move(answer)) {}

  base::Result<VisitOutcome> visit(const VisitRequest& request, std::stop_token) override {
    requests.push_back(request);
    return answer_(request);
  }
  base::Result<CompareOutcome> compare(const VisitRequest& request,
                                       const std::stop_token& stop) override {
    compared.push_back(request);
    if (!difference) return VisitExecutor::compare(request, stop);
    return CompareOutcome(*difference);
  }
  void end_block() override { ++blocks_ended; }

  std::vector<VisitRequest> requests;
  std::vector<VisitRequest> compared;
  std::optional<schema::OutputDifference> difference;  // the answer to each
  int blocks_ended = 0;

 private:
  Answer answer_;
};

// A visit with these times, that took a second of wall time.
inline schema::Visit visit_of(const VisitRequest& request, std::vector<int64_t> samples_ns,
                              std::vector<int64_t> warmup_ns = {}) {
  schema::Visit visit;
  visit.config = request.config;
  visit.block = request.block;
  visit.order = request.order;
  visit.attempt = request.attempt;
  visit.purpose = request.purpose;
  visit.samples_ns = std::move(samples_ns);
  visit.warmup_ns = std::move(warmup_ns);
  visit.wall_ns = 1'000'000'000;
  visit.clock = schema::ClockKind::virtual_time;
  return visit;
}

// Every iteration takes a millisecond.
inline base::Result<VisitOutcome> steady(const VisitRequest& request) {
  return VisitOutcome(visit_of(request, std::vector<int64_t>(5, 1'000'000)));
}

inline VisitFailure failure_of(schema::EventKind kind) {
  VisitFailure failure;
  failure.event = {{"as the test has it", {}, ""}, kind};
  failure.wall_ns = 1'000'000'000;
  return failure;
}

// Keeps what it is given, as a file would; fails from the visit on that `fail_at` says.
class MemorySink final : public RunSink {
 public:
  base::Result<void> begin(const schema::Header& header,
                           std::span<const schema::RunConfig> configs) override {
    run.header = header;
    run.configs.assign(configs.begin(), configs.end());
    return {};
  }
  base::Result<void> config(int, const schema::RunConfig& config) override {
    run.configs.push_back(config);
    return {};
  }
  base::Result<void> visit(const schema::Visit& visit) override {
    if (fail_at && run.visits.size() >= *fail_at) {
      return base::Error{base::ErrorKind::failed, "no space left on device", "run.jsonl", ""};
    }
    run.visits.push_back(visit);
    return {};
  }
  base::Result<void> event(const schema::Event& event) override {
    run.events.push_back(event);
    return {};
  }
  base::Result<void> outputs(const schema::OutputDifference& outputs) override {
    run.outputs.push_back(outputs);
    return {};
  }
  base::Result<void> probe(const schema::Probe& probe) override {
    run.probes.push_back(probe);
    return {};
  }
  base::Result<void> end(const schema::End& end) override {
    run.end = end;
    return {};
  }

  schema::RunFile run;
  std::optional<std::size_t> fail_at;
};

inline Job job_of(std::vector<int64_t> batch_sizes, const std::string& model = "model") {
  Job job;
  job.header.seed = 17;
  job.header.plan.blocks_fixed = true;
  for (const int64_t size : batch_sizes) {
    schema::RunConfig config;
    config.engine = "synthetic";
    config.model = model;
    config.shape.batch_size = size;
    job.configs.push_back(config);
  }
  job.models[model].name = model;
  return job;
}

}  // namespace batchscope::measure
