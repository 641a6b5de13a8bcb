// A libcuda for tests: of the driver API only the version, which described_machine() tells.
#include "described_machine.hpp"

extern "C" int cuDriverGetVersion(int* version) {
  constexpr int kSuccess = 0;    // CUDA_SUCCESS
  constexpr int kUnknown = 999;  // CUDA_ERROR_UNKNOWN
  *version = fake_driver::described_machine().value("cuda_version", 0);
  return *version > 0 ? kSuccess : kUnknown;
}
