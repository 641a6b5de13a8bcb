#include "batchscope/measure/resume.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "batchscope/base/counted.hpp"

namespace batchscope::measure {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

void compare(std::string_view what, const std::string& then, const std::string& now,
             std::vector<std::string>& differences) {
  if (then == now) return;
  differences.push_back(fmt::format("{} was '{}' and is '{}'", what, then, now));
}

// What makes a machine another one; its kernel or free memory does not.
std::vector<std::string> machine_differences(const schema::Machine& then,
                                             const schema::Machine& now) {
  std::vector<std::string> differences;
  compare("host", then.host, now.host, differences);
  compare("CPU", then.cpu, now.cpu, differences);
  compare("number of logical CPUs", fmt::to_string(then.logical_cpus),
          fmt::to_string(now.logical_cpus), differences);
  compare("GPUs", fmt::format("{}", fmt::join(then.gpus, ", ")),
          fmt::format("{}", fmt::join(now.gpus, ", ")), differences);
  return differences;
}

const schema::ModelInfo* find_model(const std::vector<schema::ModelInfo>& models,
                                    const schema::ModelInfo& like) {
  const auto found = std::find_if(models.begin(), models.end(), [&](const schema::ModelInfo& m) {
    return m.name == like.name && m.engine == like.engine;
  });
  return found == models.end() ? nullptr : &*found;
}

Result<std::vector<std::string>> model_differences(const schema::Header& header,
                                                   const Present& present) {
  std::vector<std::string> differences;
  for (const schema::ModelInfo& then : header.models) {
    const schema::ModelInfo* now = find_model(present.models, then);
    const std::string key = then.engine.empty() ? then.name : model_key(then.engine, then.name);
    if (now == nullptr || present.specs.count(key) == 0) {
      return Error{ErrorKind::input, fmt::format("the run measures the model '{}'", then.name),
                   "--resume", "name the same models (-m) as at the start of the run"};
    }
    compare(fmt::format("the hash of model {}", then.name), then.hash, now->hash, differences);
  }
  return differences;
}

std::vector<std::string> version_differences(const schema::Header& header, const Present& present) {
  std::vector<std::string> differences;
  for (const auto& [name, then] : header.versions) {
    const auto now = present.versions.find(name);
    if (name != "texts" && now != present.versions.end())
      compare(name, then, now->second, differences);
  }
  return differences;
}

}  // namespace

Result<ResumedRun> resume(schema::RunFile run, const Present& present, bool force) {
  if (run.header.origin == schema::Origin::imported) {
    return Error{ErrorKind::input, "this file holds imported numbers", "--resume",
                 "resume only what `profile` wrote"};
  }
  if (run.header.origin == schema::Origin::api) {
    return Error{ErrorKind::input, "a program measured its own function here", "--resume",
                 "run that program again"};
  }
  if (!run.placements.empty()) {
    return Error{ErrorKind::input, "this file was merged from the blocks of a job", "--resume",
                 "measure its missing blocks with batchscope block, then merge them again"};
  }
  const auto found = static_cast<int64_t>(run.configs.size());
  if (found < run.header.configurations) {
    return Error{ErrorKind::input,
                 fmt::format("the file ends before its measurements: {} of {}", found,
                             base::counted(run.header.configurations, "configuration")),
                 "--resume", "it holds no measurement: use a new file, or --on-existing overwrite"};
  }
  auto models = model_differences(run.header, present);
  if (!models) return std::move(models).error();
  std::vector<std::string> differences = machine_differences(run.header.machine, present.machine);
  differences.insert(differences.end(), models->begin(), models->end());
  const auto texts = run.header.versions.find("texts");
  if (texts != run.header.versions.end() && present.versions.contains("texts")) {
    compare("the hash of the texts", texts->second, present.versions.at("texts"), differences);
  }
  if (!differences.empty() && !force) {
    return Error{ErrorKind::input,
                 fmt::format("the run has other conditions: {}", fmt::join(differences, "; ")),
                 "--resume", "start a new run, or add --force to mix both"};
  }
  ResumedRun resumed;
  resumed.job.header = run.header;
  for (const std::string& difference : differences) {
    resumed.job.header.notes.push_back("resumed with --force although " + difference);
  }
  for (const std::string& difference : version_differences(run.header, present)) {
    resumed.job.header.notes.push_back("resumed with other versions: " + difference);
  }
  resumed.job.configs = run.configs;
  resumed.job.models = present.specs;
  resumed.recorded = std::move(run);
  return resumed;
}

}  // namespace batchscope::measure
