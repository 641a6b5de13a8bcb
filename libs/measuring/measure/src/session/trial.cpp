#include "batchscope/measure/trial.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace batchscope::measure {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;
using schema::RunConfig;

// What a call of it costs, as far as its sizes tell.
auto size_of(const RunConfig& config) {
  return std::tuple(schema::effective_batch(config), schema::longest_of(config.shape, 0),
                    config.precision, config.instances);
}

// Of one engine and model the smallest, and the next batch size: what fails at the one may be well
// at the other.
struct Calls {
  const RunConfig* smallest = nullptr;
  const RunConfig* next = nullptr;
};

void take(Calls& calls, const RunConfig& config) {
  if (calls.smallest == nullptr || size_of(config) < size_of(*calls.smallest)) {
    calls.smallest = &config;
  }
}

void take_next(Calls& calls, const RunConfig& config) {
  if (config.shape.batch_size <= calls.smallest->shape.batch_size) return;
  if (calls.next == nullptr || size_of(config) < size_of(*calls.next)) calls.next = &config;
}

std::vector<Calls> calls_of(const Job& job) {
  std::map<std::pair<std::string, std::string>, Calls> of_models;
  const auto known = [&](const RunConfig& config) -> Calls& {
    return of_models[{config.engine, config.model}];
  };
  for (const RunConfig& config : job.configs) take(known(config), config);
  for (const RunConfig& config : job.configs) take_next(known(config), config);
  std::vector<Calls> calls;
  for (const auto& [model, of_model] : of_models) calls.push_back(of_model);
  return calls;
}

VisitRequest request_of(const Job& job, const RunConfig& config) {
  VisitRequest request;
  request.run = config;
  request.run.instances = 1;
  // The first iteration of a cycle tells as much as all.
  auto& lengths = request.run.shape.lengths;
  lengths.resize(std::min(lengths.size(), static_cast<std::size_t>(effective_batch(config))));
  if (const auto* const model = find_spec(job, config)) request.model = *model;
  request.wait_each = job.header.plan.sync != schema::Sync::end;
  request.warmup.fixed = 0;
  request.timed.fixed = 1;
  request.context.seed = job.header.seed;
  return request;
}

std::optional<Error> judge(const RunConfig& config, const schema::Event& event) {
  const bool refused = event.kind == schema::EventKind::error;
  if (!refused && event.kind != schema::EventKind::crash) return {};
  const auto kind = refused ? ErrorKind::input : ErrorKind::failed;
  return Error{kind, "calling it failed: " + event.what, schema::describe(config),
               event.fix.empty() ? "fix the model, or its inputs (--input)" : event.fix};
}

}  // namespace

Result<void> try_models(const Job& job, VisitExecutor& executor, const std::stop_token& stop) {
  // What is wrong with a call; absent: nothing that every visit would show.
  const auto fault_of = [&](const RunConfig& config) -> Result<std::optional<Error>> {
    const auto outcome = executor.visit(request_of(job, config), stop);
    if (!outcome) return outcome.error();
    const auto* const failure = std::get_if<VisitFailure>(&*outcome);
    return failure == nullptr ? std::optional<Error>() : judge(config, failure->event);
  };
  for (const Calls& calls : calls_of(job)) {
    const auto fault = fault_of(*calls.smallest);
    if (!fault) return fault.error();
    if (!*fault) continue;
    if (calls.next == nullptr) return **fault;
    const auto also = fault_of(*calls.next);
    if (!also) return also.error();
    if (*also) return **fault;
  }
  return {};
}

}  // namespace batchscope::measure
