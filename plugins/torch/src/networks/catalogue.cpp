#include "catalogue.hpp"

#include "mlp.hpp"
#include "resnet.hpp"
#include "transformer.hpp"

namespace batchscope::torch_plugin {
namespace {

constexpr TransformerShape kDistilbert{.layers = 6, .width = 768, .heads = 12, .inner = 3072};
constexpr TransformerShape kMinilm{
    .layers = 6, .width = 384, .heads = 12, .inner = 1536, .token_types = true, .pooler = true};
constexpr TransformerShape kBert{
    .layers = 12, .width = 768, .heads = 12, .inner = 3072, .token_types = true, .pooler = true};

template <const TransformerShape& shape>
std::unique_ptr<Network> build_transformer(ParameterSource& source) {
  return std::make_unique<Transformer>(shape, source);
}

std::unique_ptr<Network> build_resnet50(ParameterSource& source) {
  return std::make_unique<ResNet50>(source);
}

std::unique_ptr<Network> build_mlp(ParameterSource& source) {
  return std::make_unique<Mlp>(std::vector<int64_t>{1024, 4096, 4096, 1024}, source);
}

engine::Dimension batch() {
  return {0, engine::Symbol::batch};
}
engine::Dimension length() {
  return {0, engine::Symbol::length};
}
engine::Dimension fixed(int64_t size) {
  return {size};
}

engine::InputSpec floats(std::string name, std::vector<engine::Dimension> dimensions) {
  engine::InputSpec spec;
  spec.name = std::move(name);
  spec.dimensions = std::move(dimensions);
  return spec;
}

engine::InputSpec integers(std::string name, std::vector<engine::Dimension> dimensions, int64_t low,
                           int64_t high) {
  return {std::move(name), std::move(dimensions), engine::DType::int64, std::nullopt, low, high};
}

engine::InputSpec constant_tokens(std::string name, int64_t value) {
  engine::InputSpec spec = integers(std::move(name), {batch(), length()}, value, value);
  spec.low = spec.high = std::nullopt;
  spec.constant = static_cast<double>(value);
  return spec;
}

template <const TransformerShape& shape>
Builtin transformer(std::string name) {
  Builtin model;
  model.name = std::move(name);
  model.summary = std::to_string(shape.layers) + " layers, " + std::to_string(shape.width) +
                  " wide, " + std::to_string(shape.heads) + " heads, " +
                  std::to_string(shape.inner) + " inner; tokens";
  model.inputs = {integers("input_ids", {batch(), length()}, 0, shape.vocabulary - 1),
                  constant_tokens("attention_mask", 1)};
  if (shape.token_types) model.inputs.push_back(constant_tokens("token_type_ids", 0));
  model.target = floats("target", {batch(), length(), fixed(shape.width)});
  model.default_seq_len = 128;
  model.longest_seq_len = shape.positions;
  model.checkpointing = true;
  model.build = &build_transformer<shape>;
  return model;
}

Builtin resnet50() {
  Builtin model;
  model.name = "resnet50";
  model.summary = "50 layers, bottleneck blocks; images 3x224x224";
  model.inputs = {floats("x", {batch(), fixed(3), fixed(224), fixed(224)})};
  model.target = integers("target", {batch()}, 0, 999);
  model.loss = Loss::cross_entropy;
  model.build = &build_resnet50;
  return model;
}

Builtin mlp() {
  Builtin model;
  model.name = "mlp";
  model.summary = "linear 1024-4096-4096-1024, ReLU; vectors of 1024";
  model.inputs = {floats("x", {batch(), fixed(1024)})};
  model.target = floats("target", {batch(), fixed(1024)});
  model.build = &build_mlp;
  return model;
}

}  // namespace

std::vector<Builtin> builtins() {
  return {transformer<kDistilbert>("distilbert"), transformer<kMinilm>("minilm-l6"),
          transformer<kBert>("bert-base"), resnet50(), mlp()};
}

base::Result<Builtin> find_builtin(std::string_view name) {
  std::string known;
  for (Builtin& model : builtins()) {
    if (model.name == name) return std::move(model);
    known += (known.empty() ? "" : ", ") + model.name;
  }
  return base::Error{base::ErrorKind::usage,
                     "'" + std::string(name) + "' is not a built-in model; available: " + known,
                     "--model", "choose one of these, or give the path of a .pt or .pt2 file"};
}

engine::ModelDescription describe(const Builtin& builtin) {
  ParameterCounter counter;
  builtin.build(counter);
  return {builtin.name,
          builtin.summary,
          counter.parameters(),
          builtin.default_seq_len.has_value(),
          builtin.default_seq_len,
          true,
          builtin.checkpointing};
}

}  // namespace batchscope::torch_plugin
