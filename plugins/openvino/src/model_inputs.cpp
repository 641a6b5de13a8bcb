#include "model_inputs.hpp"

#include <algorithm>
#include <openvino/op/convert.hpp>
#include <openvino/op/util/gather_base.hpp>

#include "tensors.hpp"

namespace batchscope::openvino_plugin {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;
using engine::InputSpec;
using Port = ov::Output<const ov::Node>;

std::string port_words(const Port& port) {
  const auto dtype = dtype_of(port.get_element_type());
  return name_of(port) + " " + (dtype ? std::string(to_string(*dtype)) : "") + " " +
         port.get_partial_shape().to_string();
}

Error misfit(const ov::Model& model, const std::string& path, std::string what) {
  std::string takes;
  for (const Port& each : model.inputs()) takes += (takes.empty() ? "" : ", ") + port_words(each);
  return {ErrorKind::usage, std::move(what) + "; the model takes " + takes, path,
          "omit --input, or give NAME:DIMENSIONS:TYPE for each input, such as --input "
          "input_ids:BxS:int64=0-30521"};
}

// The rows of the table that the numbers are looked up in, where they are.
std::optional<int64_t> table_height(const Port& port, int depth = 0) {
  constexpr int kDeepest = 3;
  for (const auto& target : port.get_target_inputs()) {
    const ov::Node* const node = target.get_node();
    if (ov::is_type<ov::op::util::GatherBase>(node) && target.get_index() == 1) {
      const ov::PartialShape table = node->get_input_partial_shape(0);
      const bool known = table.rank().is_static() && table.size() > 1 && table[0].is_static();
      if (known) return table[0].get_length();
    }
    if (ov::is_type<ov::op::v0::Convert>(node) && depth < kDeepest) {
      if (const auto height = table_height(node->output(0), depth + 1)) return height;
    }
  }
  return std::nullopt;
}

Result<InputSpec> own_input(const ov::Model& model, const Port& port, const std::string& path) {
  const ov::PartialShape shape = port.get_partial_shape();
  if (shape.rank().is_dynamic() || shape.size() == 0) {
    return misfit(model, path, "input '" + name_of(port) + "' does not define its dimensions");
  }
  InputSpec spec;
  spec.name = name_of(port);
  spec.dtype = dtype_of(port.get_element_type()).value_or(spec.dtype);  // has one: see model_inputs
  bool has_length = false;
  for (const ov::Dimension& size : shape) {
    const bool first = spec.dimensions.empty();
    if (size.is_static()) {
      spec.dimensions.push_back({size.get_length()});
      continue;
    }
    if (!first && has_length) {
      return misfit(model, path,
                    "input '" + spec.name +
                        "' has several dynamic dimensions, so its length dimension is unknown");
    }
    spec.dimensions.push_back({0, first ? engine::Symbol::batch : engine::Symbol::length});
    has_length |= !first;
  }
  if (engine::is_mask(spec)) {
    spec.constant = 1;
  } else if (const auto height = table_height(port)) {
    spec.low = 0;
    spec.high = std::max<int64_t>(*height - 1, 0);
  }
  return spec;
}

bool fits(const InputSpec& spec, const ov::PartialShape& shape) {
  if (shape.rank().is_dynamic()) return true;
  if (shape.size() != spec.dimensions.size()) return false;
  // Of a fixed size, B or S may still be asked for as that size: prepare() says where it is not.
  return std::equal(shape.begin(), shape.end(), spec.dimensions.begin(),
                    [](const ov::Dimension& size, const engine::Dimension& dimension) {
                      return dimension.symbol != engine::Symbol::none ||
                             size.compatible(dimension.size);
                    });
}

Result<InputSpec> given_input(const ov::Model& model, const Port& port,
                              const std::vector<InputSpec>& given, const std::string& path) {
  const auto found = std::find_if(given.begin(), given.end(), [&](const InputSpec& spec) {
    return port.get_names().contains(spec.name) || name_of(port) == spec.name;
  });
  if (found == given.end()) {
    return misfit(model, path, "no shape for input '" + name_of(port) + "'");
  }
  if (found->dtype != dtype_of(port.get_element_type())) {
    return misfit(
        model, path,
        "input '" + found->name + "' is given as " + std::string(to_string(found->dtype)));
  }
  if (!fits(*found, port.get_partial_shape())) {
    return misfit(model, path,
                  "the --input dimensions of '" + found->name + "' do not fit the model");
  }
  InputSpec spec = *found;
  const ov::PartialShape shape = port.get_partial_shape();
  const bool fixed = shape.rank().is_static() && shape.size() > 0 && shape[0].is_static();
  if (fixed) spec.dimensions.front() = {shape[0].get_length()};
  return spec;
}

Result<void> check_names(const ov::Model& model, const std::vector<InputSpec>& given,
                         const std::string& path) {
  for (const InputSpec& spec : given) {
    const auto inputs = model.inputs();
    const bool known = std::any_of(inputs.begin(), inputs.end(), [&](const Port& port) {
      return port.get_names().contains(spec.name) || name_of(port) == spec.name;
    });
    if (!known) return misfit(model, path, "the model has no input '" + spec.name + "'");
  }
  return {};
}

}  // namespace

std::string name_of(const Port& port) {
  return port.get_names().empty() ? port.get_node()->get_friendly_name() : port.get_any_name();
}

Result<std::vector<InputSpec>> model_inputs(const ov::Model& model,
                                            const std::vector<InputSpec>& given,
                                            const std::string& path) {
  if (auto known = check_names(model, given, path); !known) return known.error();
  std::vector<InputSpec> inputs;
  for (const Port& port : model.inputs()) {
    if (!dtype_of(port.get_element_type())) {
      return Error{ErrorKind::input,
                   "input '" + name_of(port) + "' is " + port.get_element_type().to_string() +
                       ", a type that batchscope cannot generate",
                   path, "export the model with inputs of float32, int64, int32 or bool"};
    }
    auto spec =
        given.empty() ? own_input(model, port, path) : given_input(model, port, given, path);
    if (!spec) return std::move(spec).error();
    inputs.push_back(*std::move(spec));
  }
  return inputs;
}

}  // namespace batchscope::openvino_plugin
