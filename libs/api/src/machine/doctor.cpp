#include "batchscope/api/doctor.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace batchscope::api {
namespace {

using device::Check;
using device::CheckStatus;

Check torch_check(const Program& program) {
  const auto engine = load_engine(program, "torch");
  if (!engine) {
    return {"torch", CheckStatus::missing, "not found",
            "models cannot be run; tables can be imported and run files analysed: " +
                engine.error().what,
            engine.error().fix};
  }
  std::string versions;
  for (const auto& [name, version] : (*engine)->versions()) {
    versions += fmt::format("{}{} {}", versions.empty() ? "" : ", ", name, version);
  }
  return {"torch", CheckStatus::ok, versions,
          fmt::format("built-in models, TorchScript and AOTInductor files run on: {}",
                      fmt::join((*engine)->devices(), ", ")),
          ""};
}

}  // namespace

std::vector<Check> doctor(const Program& program) {
  const base::SystemRoot root;
  const auto facts =
      device::gather_doctor_facts(root, device::current_affinity(), device::current_environment());
  std::vector<Check> checks = device::doctor_checks(facts, *device::open_gpu_monitor());
  checks.insert(checks.begin(), torch_check(program));
  return checks;
}

}  // namespace batchscope::api
