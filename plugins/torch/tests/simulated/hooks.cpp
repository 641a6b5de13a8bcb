// How LibTorch finds the device at all: the hooks that a CUDA build would register.
#include <ATen/detail/CUDAHooksInterface.h>

#include "allocator/memory.hpp"
#include "state/generator.hpp"
#include "state/options.hpp"
#include "work/streams.hpp"

namespace batchscope::simulated {
namespace {

class Hooks final : public at::CUDAHooksInterface {
 public:
  explicit Hooks(at::CUDAHooksArgs) {}
  bool hasCUDA() const override { return true; }
  c10::DeviceIndex current_device() const override { return simulated::current_device(); }
  c10::Allocator* getCUDADeviceAllocator() const override { return device_memory(); }
  long versionCUDART() const override { return 13000; }  // 1000 major + 10 minor
  std::string showConfig() const override { return "simulated"; }
  int getNumGPUs() const override { return options().devices; }
  void deviceSynchronize(c10::DeviceIndex device) const override { drain_device(device); }
  void init() const override { start_driver(); }
  bool isBuilt() const override { return true; }
  bool isAvailable() const override { return true; }
  bool hasPrimaryContext(c10::DeviceIndex) const override { return true; }
  c10::DeviceIndex deviceCount() const override {
    return static_cast<c10::DeviceIndex>(options().devices);
  }
  void setCurrentDevice(c10::DeviceIndex device) const override { set_current_device(device); }
  c10::DeviceIndex getCurrentDevice() const override { return simulated::current_device(); }
  c10::DeviceIndex exchangeDevice(c10::DeviceIndex device) const override {
    const auto before = simulated::current_device();
    if (device >= 0) set_current_device(device);
    return before;
  }
  c10::DeviceIndex maybeExchangeDevice(c10::DeviceIndex device) const override {
    return exchangeDevice(device);
  }
  bool isPinnedPtr(const void* at) const override { return is_pinned(at); }
  c10::Allocator* getPinnedMemoryAllocator() const override { return pinned_memory(); }
  c10::Device getDeviceFromPtr(void* at) const override { return {kType, device_of_address(at)}; }
  const at::Generator& getDefaultGenerator(c10::DeviceIndex device) const override {
    return default_generator(device < 0 ? simulated::current_device() : device);
  }
  at::Generator getNewGenerator(c10::DeviceIndex device) const override {
    return at::make_generator<Generator>(device < 0 ? simulated::current_device() : device);
  }
};

struct Registered {
  Registered() { c10::SetAllocator(kType, device_memory(), /*priority=*/255); }
};
const Registered registered;

}  // namespace
}  // namespace batchscope::simulated

namespace at {
namespace {
// LibTorch looks its hooks up by the name of the class.
using CUDAHooks = batchscope::simulated::Hooks;
REGISTER_CUDA_HOOKS(CUDAHooks)
}  // namespace
}  // namespace at
