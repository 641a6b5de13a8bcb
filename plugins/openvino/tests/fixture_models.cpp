#include "fixture_models.hpp"

#include <openvino/op/ops.hpp>
#include <vector>

namespace batchscope::openvino_plugin {
namespace {

std::shared_ptr<ov::op::v0::Parameter> input(const char* name, ov::element::Type type,
                                             const ov::PartialShape& shape) {
  auto parameter = std::make_shared<ov::op::v0::Parameter>(type, shape);
  parameter->get_output_tensor(0).set_names({name});
  parameter->set_friendly_name(name);
  return parameter;
}

// Values between -1 and 1 that are not all alike.
std::shared_ptr<ov::op::v0::Constant> weights(int64_t rows, int64_t columns) {
  std::vector<float> values(static_cast<size_t>(rows * columns));
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<float>(static_cast<int>(i * 37 % 101) - 50) / 50.0F;
  }
  const ov::Shape shape{static_cast<size_t>(rows), static_cast<size_t>(columns)};
  return ov::op::v0::Constant::create(ov::element::f32, shape, values);
}

std::shared_ptr<ov::op::v0::Constant> number(int64_t value) {
  return ov::op::v0::Constant::create(ov::element::i64, ov::Shape{}, {value});
}

}  // namespace

std::shared_ptr<ov::Model> encoder(ov::PartialShape shape) {
  const auto ids = input("input_ids", ov::element::i64, shape);
  const auto mask = input("attention_mask", ov::element::i64, shape);
  const auto rows = std::make_shared<ov::op::v8::Gather>(weights(kRows, kWidth), ids, number(0));
  const auto product =
      std::make_shared<ov::op::v0::MatMul>(rows, weights(kWidth, kWidth), false, false);
  const auto real = std::make_shared<ov::op::v0::Unsqueeze>(
      std::make_shared<ov::op::v0::Convert>(mask, ov::element::f32), number(-1));
  const auto hidden = std::make_shared<ov::op::v1::Multiply>(product, real);
  hidden->get_output_tensor(0).set_names({"hidden"});
  return std::make_shared<ov::Model>(ov::OutputVector{hidden}, ov::ParameterVector{ids, mask});
}

std::shared_ptr<ov::Model> matrix(ov::Dimension batch) {
  const auto x = input("x", ov::element::f32, ov::PartialShape{batch, 4});
  const auto y = std::make_shared<ov::op::v0::MatMul>(x, weights(4, 3), false, false);
  y->get_output_tensor(0).set_names({"y"});
  return std::make_shared<ov::Model>(ov::OutputVector{y}, ov::ParameterVector{x});
}

void save(const std::shared_ptr<ov::Model>& model, const std::string& path) {
  ov::save_model(model, path, /*compress_to_fp16=*/false);
}

}  // namespace batchscope::openvino_plugin
