#include "checkpoint.hpp"

#include <ATen/Context.h>
#include <ATen/autocast_mode.h>
#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/custom_class.h>

#include <mutex>
#include <optional>

#include "libtorch/precision.hpp"

namespace batchscope::torch_plugin {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr const char* kRecipe = "recipe";

at::Tensor random_state(const c10::Device& device) {
  at::Generator generator = at::globalContext().defaultGenerator(device);
  const std::lock_guard<std::mutex> lock(generator.mutex());
  return generator.get_state();
}

void set_random_state(const c10::Device& device, const at::Tensor& state) {
  at::Generator generator = at::globalContext().defaultGenerator(device);
  const std::lock_guard<std::mutex> lock(generator.mutex());
  generator.set_state(state);
}

// The device's default generator draws from `state` while this lives, and goes on afterwards where
// it was.
class RandomStateScope {
 public:
  RandomStateScope(c10::Device device, const at::Tensor& state)
      : device_(device), before_(random_state(device)) {
    set_random_state(device_, state);
  }
  ~RandomStateScope() { set_random_state(device_, before_); }
  RandomStateScope(const RandomStateScope&) = delete;
  RandomStateScope& operator=(const RandomStateScope&) = delete;

 private:
  c10::Device device_;
  at::Tensor before_;
};

std::optional<at::ScalarType> autocast_type(c10::DeviceType device) {
  if (!at::autocast::is_autocast_enabled(device)) return std::nullopt;
  return at::autocast::get_autocast_dtype(device);
}

// What computing a segment once more takes, beside its input.
struct Recipe final : torch::CustomClassHolder {
  std::function<at::Tensor(const at::Tensor&)> segment;
  at::Tensor random;  // the generator's state before the segment
  std::optional<at::ScalarType> autocast;
};

struct Checkpoint final : torch::autograd::Function<Checkpoint> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x,
                            const c10::intrusive_ptr<Recipe>& recipe) {
    context->save_for_backward({x});
    context->saved_data[kRecipe] = c10::IValue::make_capsule(recipe);
    return recipe->segment(x);
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const auto recipe =
        c10::static_intrusive_pointer_cast<Recipe>(context->saved_data.at(kRecipe).toCapsule());
    const at::Tensor x = context->get_saved_variables().front().detach().requires_grad_(true);
    at::Tensor y;
    {
      const at::AutoGradMode record(true);
      const RandomStateScope random(x.device(), recipe->random);
      const Autocast autocast(x.device().type(), recipe->autocast);
      y = recipe->segment(x);
    }
    torch::autograd::backward({y}, {gradients.front()});
    return {x.grad(), at::Tensor()};
  }
};

}  // namespace

at::Tensor checkpointed(std::function<at::Tensor(const at::Tensor&)> segment, const at::Tensor& x) {
  auto recipe = c10::make_intrusive<Recipe>();
  recipe->segment = std::move(segment);
  recipe->random = random_state(x.device());
  recipe->autocast = autocast_type(x.device().type());
  return Checkpoint::apply(x, recipe);
}

}  // namespace batchscope::torch_plugin
