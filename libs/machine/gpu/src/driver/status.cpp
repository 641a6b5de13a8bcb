#include "driver/status.hpp"

#include <array>
#include <string_view>

namespace batchscope::nvml {
namespace {

struct Row {
  Status status;
  Outcome outcome;
  std::string_view words;
};

constexpr std::array kRows{
    Row{kSuccess, Outcome::answered, "success"},
    Row{kUninitialized, Outcome::driver_absent, "driver was unloaded"},
    Row{kDriverNotLoaded, Outcome::driver_absent, "driver is not loaded"},
    Row{kLibraryVersionMismatch, Outcome::driver_absent,
        "driver was updated while loaded; reboot, or reload the nvidia modules"},
    Row{kInvalidArgument, Outcome::refused, "driver rejects the request (NVML: invalid argument)"},
    Row{kNotSupported, Outcome::refused, "not supported"},
    Row{kNoPermission, Outcome::refused, "no permission"},
    Row{kFunctionNotFound, Outcome::refused, "driver is too old"},
    Row{kArgumentVersionMismatch, Outcome::refused, "driver is too old"},
    Row{kDeprecated, Outcome::refused, "no longer supported"},
    Row{kTimeout, Outcome::gpu_silent, "GPU did not answer the driver in time"},
    Row{kGpuIsLost, Outcome::gpu_silent, "GPU is lost"},
    Row{kResetRequired, Outcome::gpu_silent, "GPU needs a reset"},
    Row{kNotFound, Outcome::failed, "driver does not find the device (NVML: not found)"},
    Row{kUnknown, Outcome::failed, "unknown error of the driver"},
};

const Row* find(Status status) {
  for (const Row& row : kRows) {
    if (row.status == status) return &row;
  }
  return nullptr;
}

}  // namespace

Outcome outcome_of(Status status) {
  const Row* row = find(status);
  return row == nullptr ? Outcome::failed : row->outcome;
}

std::string in_words(Status status) {
  const Row* row = find(status);
  if (row != nullptr) return std::string(row->words);
  return "NVML error " + std::to_string(status);
}

}  // namespace batchscope::nvml
