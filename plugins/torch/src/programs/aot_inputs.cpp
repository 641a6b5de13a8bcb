#include "aot_inputs.hpp"

#include <charconv>
#include <regex>

#include "libtorch/precision.hpp"

namespace batchscope::torch_plugin {
namespace {

int64_t number(const std::csub_match& match) {
  int64_t value = 0;
  std::from_chars(match.first, match.second, value);
  return value;
}

// Calls `use` with every match of `pattern` in `text`.
template <class Use>
void each_match(std::string_view text, const std::regex& pattern, Use use) {
  const char* end = text.data() + text.size();
  for (std::cregex_iterator it(text.data(), end, pattern), none; it != none; ++it) use(*it);
}

CompiledInput::Size& size_at(CompiledInput& input, int64_t index) {
  const auto place = static_cast<size_t>(index);
  if (input.sizes.size() <= place) input.sizes.resize(place + 1);
  return input.sizes[place];
}

CompiledInput read_checks(std::string_view block) {
  static const std::regex type(R"(aoti_torch_dtype_(\w+)\(\))");
  static const std::regex fixed(R"(\((\d+)L? != \w+_size\[(\d+)\])");
  static const std::regex largest(R"(\(\w+_size\[(\d+)\] > (\d+)L?\))");
  static const std::regex dimension(R"(_(?:size|stride)\[(\d+)\])");
  CompiledInput input;
  each_match(block, type, [&](const std::cmatch& m) { input.dtype = m.str(1); });
  each_match(block, dimension, [&](const std::cmatch& m) { size_at(input, number(m[1])); });
  each_match(block, fixed,
             [&](const std::cmatch& m) { size_at(input, number(m[2])).fixed = number(m[1]); });
  each_match(block, largest,
             [&](const std::cmatch& m) { size_at(input, number(m[1])).largest = number(m[2]); });
  return input;
}

}  // namespace

std::vector<CompiledInput> compiled_inputs(std::string_view source) {
  std::vector<CompiledInput> inputs;
  for (;;) {
    const std::string start = "static void check_input_" + std::to_string(inputs.size()) + "(";
    const auto begin = source.find(start);
    if (begin == std::string_view::npos) return inputs;
    const auto end = source.find("\n}", begin);
    inputs.push_back(read_checks(source.substr(begin, end - begin)));
  }
}

std::string describe(const CompiledInput& input) {
  std::string text = input.dtype + " ";
  for (size_t i = 0; i < input.sizes.size(); ++i) {
    text += i > 0 ? "x" : "";
    text += input.sizes[i].fixed ? std::to_string(*input.sizes[i].fixed) : "?";
    if (input.sizes[i].largest) text += "(<=" + std::to_string(*input.sizes[i].largest) + ")";
  }
  return text;
}

bool fits(const CompiledInput& input, const at::Tensor& tensor) {
  const auto type = engine::parse_dtype(input.dtype);
  if (type && scalar_type(*type) != tensor.scalar_type()) return false;
  if (tensor.dim() != static_cast<int64_t>(input.sizes.size())) return false;
  for (int64_t i = 0; i < tensor.dim(); ++i) {
    const CompiledInput::Size& size = input.sizes[static_cast<size_t>(i)];
    if (size.fixed && *size.fixed != tensor.size(i)) return false;
    if (size.largest && *size.largest < tensor.size(i)) return false;
  }
  return true;
}

}  // namespace batchscope::torch_plugin
