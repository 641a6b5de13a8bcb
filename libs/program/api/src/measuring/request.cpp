#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <random>

#include "batchscope/api/measure_options.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/engine/description.hpp"
#include "batchscope/engines/model_names.hpp"
#include "batchscope/host/threads.hpp"
#include "batchscope/schema/not_stated.hpp"

namespace batchscope::api {
namespace {

bool runs_files(const std::string& engine, const engine::InstallPaths& places) {
  const auto described = engine::find_description(engine, places);
  return described && (!described->endings.empty() || described->interpreted);
}

}  // namespace

study::ProfileRequest request_here() {
  study::ProfileRequest request;
  request.axes.cores = host::default_threads(base::SystemRoot()).threads;
  request.axes.threads.clear();
  request.seed = std::random_device{}();
  request.created = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  return request;
}

std::vector<std::string> engines_for(const std::vector<std::string>& named,
                                     const engine::InstallPaths& places) {
  if (named.empty()) return {engine::own_engines().front().name};
  if (named.front().starts_with("synthetic:")) return {std::string(schema::kEngineOfLaws)};
  const std::string models = base::join(named, ",");
  if (engines::names_python(models.substr(0, models.find(',')))) {
    return {std::string(schema::kEnginePython)};
  }
  std::vector<std::string> engines;
  for (const std::string_view model : base::split(models, ',')) {
    const std::string engine(model.substr(0, model.find('=')));
    if (!runs_files(engine, places)) continue;
    const bool new_one = std::find(engines.begin(), engines.end(), engine) == engines.end();
    if (new_one && engine.size() < model.size()) engines.push_back(engine);
  }
  if (!engines.empty()) return engines;
  return {engine::engine_for(models.substr(0, models.find(','))).name};
}

}  // namespace batchscope::api
