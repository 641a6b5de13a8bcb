#include "batchscope/api/doctor.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "batchscope/engine/description.hpp"

namespace batchscope::api {
namespace {

using doctor::Check;
using doctor::CheckStatus;

// Of the engine that models run on unless another is named.
Check engine_check(const Program& program) {
  const engine::EngineDescription& usual = engine::own_engines().front();
  const auto engine = load_engine(program, usual.name);
  if (!engine) {
    return {usual.name, CheckStatus::missing, "not found",
            "models do not run here; importing tables and analysing run files works: " +
                engine.error().what,
            engine.error().fix};
  }
  std::string versions;
  for (const auto& [name, version] : (*engine)->versions()) {
    versions += fmt::format("{}{} {}", versions.empty() ? "" : ", ", name, version);
  }
  return {usual.name, CheckStatus::ok, versions,
          fmt::format("built-in models and files that end in {} run on: {}",
                      fmt::join(usual.endings, ", "), fmt::join((*engine)->devices(), ", ")),
          ""};
}

}  // namespace

std::vector<Check> doctor(const Program& program) {
  const base::SystemRoot root;
  const auto facts =
      doctor::gather_doctor_facts(root, host::current_affinity(), host::current_environment());
  std::vector<Check> checks = doctor::doctor_checks(facts, *gpu::open_gpus());
  checks.insert(checks.begin(), engine_check(program));
  return checks;
}

}  // namespace batchscope::api
