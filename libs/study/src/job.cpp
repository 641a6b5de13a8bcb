#include "batchscope/study/job.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace batchscope::study {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

Result<void> check_devices(const engine::Engine& engine, const std::vector<std::string>& devices) {
  const std::vector<std::string> there = engine.devices();
  for (const std::string& device : devices) {
    if (std::find(there.begin(), there.end(), device) != there.end()) continue;
    return Error{ErrorKind::usage, fmt::format("no device '{}' here", device), "--device",
                 fmt::format("engine {} sees: {}", engine.name(), fmt::join(there, ", "))};
  }
  return {};
}

}  // namespace

Result<measure::Job> make_job(engine::Engine& engine, const schema::Machine& machine,
                              const ProfileRequest& request) {
  if (auto known = check_devices(engine, request.axes.devices); !known) return known.error();
  auto models = find_models(engine, request.models, request.inputs, request.seed);
  if (!models) return std::move(models).error();
  auto configs = expand(request.axes, engine.name(), *models);
  if (!configs) return std::move(configs).error();

  measure::Job job;
  job.configs = *std::move(configs);
  job.header.tool_version = request.tool_version;
  job.header.created = request.created;
  job.header.machine = machine;
  job.header.versions = engine.versions();
  job.header.axes = request.axes_as_typed;
  job.header.command_line = request.command_line;
  job.header.seed = request.seed;
  job.header.plan = request.plan;
  for (const SweepModel& model : *models) {
    auto info = engine.inspect(model.spec);
    if (!info) return std::move(info).error();
    job.header.models.push_back(*std::move(info));
    job.models[model.spec.name] = model.spec;
  }
  return job;
}

}  // namespace batchscope::study
