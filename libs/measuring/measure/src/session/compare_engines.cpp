// What the engines of a run compute of the same input.

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "batchscope/engine/description.hpp"
#include "batchscope/schema/axes.hpp"
#include "session_state.hpp"

namespace batchscope::measure {
namespace {

using base::ErrorKind;
using base::Result;
using schema::RunConfig;

// What outputs follow from, but one of it.

RunConfig computed_by_any_engine(const RunConfig& config) {
  RunConfig key = schema::computed_by(config);
  key.engine.clear();
  key.compile.reset();
  return key;
}

RunConfig computed_at_any_precision(const RunConfig& config) {
  RunConfig key = schema::computed_by(config);
  key.precision = {};
  return key;
}

RunConfig computed_on_any_device(const RunConfig& config) {
  RunConfig key = schema::computed_by(config);
  key.device.clear();
  return key;
}

RunConfig computed_compiled_or_not(const RunConfig& config) {
  RunConfig key = schema::computed_by(config);
  key.compile.reset();
  return key;
}

struct Pair {
  int config, against;
};

bool has_both(const std::vector<schema::OutputDifference>& known, const Pair& pair) {
  return std::any_of(known.begin(), known.end(), [&](const schema::OutputDifference& each) {
    return each.config == pair.config && each.against == pair.against;
  });
}

using BySize = std::map<int64_t, int>;  // the first configuration of a batch size

// The smallest size that both have.
std::optional<Pair> smallest_common(const BySize& own, const BySize& against) {
  for (const auto& [size, config] : own) {
    if (const auto it = against.find(size); it != against.end()) return Pair{config, it->second};
  }
  return std::nullopt;
}

using Key = std::function<RunConfig(const RunConfig&)>;
using Side = std::function<std::string(const RunConfig&)>;

// Each side against the first one of the same work.
void add_pairs(const std::vector<RunConfig>& configs, const Key& work_key, const Side& side,
               std::vector<Pair>& pairs) {
  struct Work {
    std::string first;
    std::map<std::string, BySize> sides;
  };
  std::map<RunConfig, Work> works;
  for (std::size_t i = 0; i < configs.size(); ++i) {
    if (configs[i].mode != schema::Mode::infer) continue;
    Work& work = works[work_key(configs[i])];
    const std::string own = side(configs[i]);
    if (work.first.empty()) work.first = own;
    work.sides[own].emplace(configs[i].shape.batch_size, static_cast<int>(i));
  }
  for (const auto& [key, work] : works) {
    for (const auto& [own, sizes] : work.sides) {
      if (own == work.first) continue;
      if (const auto pair = smallest_common(sizes, work.sides.at(work.first))) {
        pairs.push_back(*pair);
      }
    }
  }
}

// Engines at equal precision, and the precisions and devices of one engine, compiled and not. Laws
// in virtual time have no outputs.
std::vector<Pair> pairs_of(const std::vector<RunConfig>& configs,
                           const engine::InstallPaths& places) {
  std::vector<Pair> pairs;
  add_pairs(
      configs, computed_by_any_engine, [](const RunConfig& config) { return config.engine; },
      pairs);
  const bool real = std::none_of(configs.begin(), configs.end(), [&](const RunConfig& config) {
    const auto described = engine::find_description(config.engine, places);
    return described && described->virtual_time;
  });
  if (!real) return pairs;
  add_pairs(
      configs, computed_at_any_precision,
      [](const RunConfig& config) { return std::string(to_string(config.precision)); }, pairs);
  add_pairs(
      configs, computed_on_any_device, [](const RunConfig& config) { return config.device; },
      pairs);
  add_pairs(
      configs, computed_compiled_or_not,
      [](const RunConfig& config) { return schema::axis(schema::AxisId::compile).words(config); },
      pairs);
  return pairs;
}

VisitRequest request_of(const Job& job, const std::vector<RunConfig>& configs, const Pair& pair) {
  VisitRequest request;
  request.config = pair.config;
  request.run = configs[static_cast<std::size_t>(pair.config)];
  request.run.instances = 1;
  request.run.environment.clear();
  Against against{configs[static_cast<std::size_t>(pair.against)], {}};
  if (const auto* const model = find_spec(job, request.run)) request.model = *model;
  if (const auto* const model = find_spec(job, against.run)) against.model = *model;
  request.against = std::move(against);
  return request;
}

}  // namespace

std::string model_key(const std::string& engine, const std::string& model) {
  return engine + "/" + model;
}

const engine::ModelSpec* find_spec(const Job& job, const RunConfig& config) {
  auto found = job.models.find(model_key(config.engine, config.model));
  if (found == job.models.end()) found = job.models.find(config.model);
  return found == job.models.end() ? nullptr : &found->second;
}

Result<CompareOutcome> VisitExecutor::compare(const VisitRequest& request, const std::stop_token&) {
  VisitFailure failure;
  failure.event.kind = schema::EventKind::error;
  failure.event.what = fmt::format("engine {} gives no outputs here", request.run.engine);
  return CompareOutcome(std::move(failure));
}

Result<void> Session::compare_engines() {
  State& state = *state_;
  for (const Pair& pair : pairs_of(state.run.configs, state.with.places)) {
    if (has_both(state.run.outputs, pair)) continue;
    auto outcome = state.with.executor.compare(request_of(state.job, state.run.configs, pair),
                                               state.with.stop);
    if (!outcome && outcome.error().kind == ErrorKind::interrupted) return {};
    if (!outcome) return std::move(outcome).error();
    if (auto* const failure = std::get_if<VisitFailure>(&*outcome)) {
      failure->event.kind = schema::EventKind::warning;
      failure->event.what = "comparing the outputs failed: " + failure->event.what;
      failure->event.where.config = pair.config;
      if (auto kept = state.record(std::move(failure->event)); !kept) return kept;
      continue;
    }
    auto& difference = std::get<schema::OutputDifference>(*outcome);
    difference.config = pair.config;
    difference.against = pair.against;
    if (auto kept = state.with.sink.outputs(difference); !kept) return kept;
    state.run.outputs.push_back(difference);
  }
  return {};
}

}  // namespace batchscope::measure
