#include "batchscope/gpu/cuda_driver.hpp"

#include <dlfcn.h>

#include <memory>

namespace batchscope::gpu {
namespace {

struct CloseLibrary {
  void operator()(void* handle) const { dlclose(handle); }
};

// CUDA driver API: writes 1000 * major + 10 * minor; needs no cuInit.
using DriverGetVersion = int (*)(int*);

base::Error absent(const std::string& library, const std::string& what) {
  return {base::ErrorKind::failed, what, library,
          "install the NVIDIA driver (Debian: nvidia-driver; in a container: docker run --gpus "
          "all)"};
}

}  // namespace

base::Result<std::string> cuda_driver_version(const std::string& library) {
  const std::unique_ptr<void, CloseLibrary> handle(dlopen(library.c_str(), RTLD_LAZY | RTLD_LOCAL));
  if (!handle) {
    const char* why = dlerror();
    return absent(library, "cannot load the CUDA driver: " + std::string(why));
  }
  const auto get = reinterpret_cast<DriverGetVersion>(dlsym(handle.get(), "cuDriverGetVersion"));
  int version = 0;
  if (get == nullptr || get(&version) != 0 || version <= 0) {
    return absent(library, "the CUDA driver does not report its version");
  }
  return std::to_string(version / 1000) + '.' + std::to_string(version % 1000 / 10);
}

}  // namespace batchscope::gpu
