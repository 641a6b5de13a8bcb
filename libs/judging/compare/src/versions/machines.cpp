#include "batchscope/compare/machines.hpp"

#include <fmt/format.h>

#include <set>
#include <vector>

#include "batchscope/base/counted.hpp"
#include "batchscope/base/strings.hpp"

namespace batchscope::compare {
namespace {

std::string named(const schema::Machine& machine) {
  return (machine.host.empty() ? "" : machine.host + ": ") + machine_words(machine);
}

std::set<std::string> machines_of(std::span<const schema::RunFile> runs) {
  std::set<std::string> machines;
  for (const schema::RunFile& run : runs) machines.insert(named(run.header.machine));
  return machines;
}

std::string all(const std::set<std::string>& machines) {
  return base::join({machines.begin(), machines.end()}, "; ");
}

}  // namespace

std::string machine_words(const schema::Machine& machine) {
  std::vector<std::string> parts;
  if (!machine.cpu.empty()) parts.push_back(machine.cpu);
  if (machine.physical_cores > 0) {
    parts.push_back(base::counted(machine.physical_cores, "core"));
  }
  parts.insert(parts.end(), machine.gpus.begin(), machine.gpus.end());
  return parts.empty() ? "unknown machine" : base::join(parts, ", ");
}

std::optional<std::string> other_machines(std::span<const schema::RunFile> old_runs,
                                          std::span<const schema::RunFile> new_runs) {
  const auto old_machines = machines_of(old_runs), new_machines = machines_of(new_runs);
  if (old_machines == new_machines) return std::nullopt;
  return fmt::format(
      "The machines differ ({} against {}): this may cause differences, instead of the versions.",
      all(old_machines), all(new_machines));
}

}  // namespace batchscope::compare
