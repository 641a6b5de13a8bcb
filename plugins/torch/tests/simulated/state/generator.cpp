#include "generator.hpp"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/empty.h>

#include <vector>

namespace batchscope::simulated {
namespace {

constexpr int64_t kStateBytes = 16;

}  // namespace

Generator::Generator(c10::DeviceIndex device)
    : GeneratorImpl(c10::Device(kType, device), c10::DispatchKeySet(kKey)) {}

void Generator::set_current_seed(uint64_t seed) {
  seed_ = seed;
  offset_ = 0;
}

uint64_t Generator::seed() {
  set_current_seed(c10::detail::getNonDeterministicRandom());
  return seed_;
}

c10::intrusive_ptr<c10::TensorImpl> Generator::get_state() const {
  const at::Tensor state = at::empty({kStateBytes}, at::kByte);
  auto* const words = static_cast<uint64_t*>(state.data_ptr());
  words[0] = seed_;
  words[1] = offset_;
  return state.getIntrusivePtr();
}

void Generator::set_state(const c10::TensorImpl& state) {
  TORCH_CHECK(state.numel() == kStateBytes && state.is_cpu(), "not a simulated generator's state");
  const auto* const words = static_cast<const uint64_t*>(state.data());
  seed_ = words[0];
  offset_ = words[1];
}

at::Generator Generator::draw() {
  constexpr uint64_t kFarApart = 0x9E3779B97F4A7C15ULL;
  return at::detail::createCPUGenerator(seed_ * kFarApart + offset_++);
}

Generator* Generator::clone_impl() const {
  auto* const made = new Generator(device_.index());
  made->seed_ = seed_;
  made->offset_ = offset_;
  return made;
}

const at::Generator& default_generator(c10::DeviceIndex device) {
  static auto* const all = [] {
    auto* const made = new std::vector<at::Generator>;
    for (c10::DeviceIndex i = 0; i < options().devices; ++i) {
      made->push_back(at::make_generator<Generator>(i));
    }
    return made;
  }();
  return all->at(static_cast<std::size_t>(device));
}

}  // namespace batchscope::simulated
