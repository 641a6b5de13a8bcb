#include "tokenizer_model.hpp"

#include <algorithm>
#include <openvino/op/constant.hpp>

#include "errors.hpp"
#include "model_file.hpp"

namespace batchscope::openvino_plugin {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

constexpr const char* kConvert = "create one with tools/models/convert_tokenizer.py FOLDER OUT";

Error not_one(const std::string& path, std::string what) {
  return {ErrorKind::input, std::move(what), path, kConvert};
}

bool gives(const ov::Model& model, const std::string& name) {
  const auto outputs = model.outputs();
  return std::any_of(outputs.begin(), outputs.end(), [&](const auto& output) {
    return output.get_names().count(name) > 0 && output.get_element_type() == ov::element::i64;
  });
}

Result<void> check_ports(const ov::Model& model, const std::string& path) {
  if (model.inputs().size() != 1 || model.input().get_element_type() != ov::element::string) {
    return not_one(path, "is not a tokenizer: its input is not text");
  }
  if (!gives(model, "input_ids") || !gives(model, "attention_mask")) {
    return not_one(path,
                   "is not a tokenizer: it does not return int64 input_ids and attention_mask");
  }
  return {};
}

Result<engine::TokenizerFacts> read_facts(const ov::Model& model, const std::string& path) {
  engine::TokenizerFacts facts;
  const std::pair<const char*, int64_t*> wanted[] = {{"vocabulary", &facts.vocabulary},
                                                     {"max_length", &facts.max_length},
                                                     {"pad_id", &facts.pad_id},
                                                     {"special_tokens", &facts.special_tokens}};
  for (const auto& [name, value] : wanted) {
    const std::vector<std::string> place{"batchscope", name};
    if (!model.has_rt_info(place)) return not_one(path, "does not state its " + place.back());
    *value = model.get_rt_info<int64_t>(place);
  }
  return facts;
}

// The operation Truncate takes, behind one or more ragged tensors: how many tokens of the text
// remain, which end goes, and which text first. The first of these is a constant, or selected when
// the IR is to cut at all, which convert_tokenizer.py has switched on.
Result<void> cut_at(ov::Model& model, int64_t max_length, int64_t special,
                    const std::string& path) {
  for (const auto& node : model.get_ops()) {
    if (std::string_view(node->get_type_info().name) != "Truncate") continue;
    const std::size_t place = node->get_input_size() - 3;
    ov::Node* const source = node->get_input_node_ptr(place);
    const bool selected = std::string_view(source->get_type_info().name) == "Select";
    (selected ? source->input(1) : node->input(place))
        .replace_source_output(ov::op::v0::Constant::create(
            ov::element::i32, ov::Shape{}, {static_cast<int32_t>(max_length - special)}));
    return {};
  }
  return not_one(path, "cannot cut long texts");
}

}  // namespace

Result<TokenizerModel> read_tokenizer(ov::Core& core, const engine::TokenizerSpec& spec) {
  auto model = read_model(core, spec.path);
  if (!model) return std::move(model).error();
  if (auto ports = check_ports(**model, spec.path); !ports) return ports.error();
  auto facts = read_facts(**model, spec.path);
  if (!facts) return std::move(facts).error();
  if (spec.max_length > 0) facts->max_length = spec.max_length;
  if (facts->max_length <= facts->special_tokens || facts->max_length > INT32_MAX) {
    return Error{ErrorKind::usage,
                 std::to_string(facts->max_length) + " tokens per text leave no room for the text",
                 spec.path,
                 "use more than " + std::to_string(facts->special_tokens) +
                     ", the number of special tokens per text"};
  }
  auto cut = cut_at(**model, facts->max_length, facts->special_tokens, spec.path);
  if (!cut) return cut.error();
  return TokenizerModel{*std::move(model), *facts};
}

}  // namespace batchscope::openvino_plugin
