#include <fmt/format.h>

#include <map>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/engine/engine.hpp"

namespace batchscope::engine {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

std::string described(const Dimension& dimension) {
  const bool fixed = dimension.symbol == Symbol::none;
  return fixed ? fmt::format("{}", dimension.size) : std::string(to_string(dimension.symbol));
}

// "input_ids:BxS:int64", as a user states it.
std::string described(const InputSpec& spec) {
  const auto sizes =
      base::mapped(spec.dimensions, [](const Dimension& each) { return described(each); });
  return fmt::format("{}:{}:{}", spec.name, base::join(sizes, "x"), to_string(spec.dtype));
}

std::string described(std::span<const InputSpec> wanted) {
  return base::join(base::mapped(wanted, [](const InputSpec& each) { return described(each); }),
                    ", ");
}

class Matcher {
 public:
  Matcher(std::span<const InputSpec> wanted, const std::string& where)
      : where_(where), fix_("the model takes " + described(wanted)) {}

  Error error(ErrorKind kind, std::string what) const {
    return {kind, std::move(what), where_, fix_};
  }

  Result<void> check(const InputSpec& spec, const Tensor& tensor) {
    if (tensor.dtype != spec.dtype) {
      return error(ErrorKind::input,
                   fmt::format("input {} is not {}", describe(tensor), to_string(spec.dtype)));
    }
    if (!fits(spec, tensor)) {
      return error(ErrorKind::input,
                   fmt::format("input {} does not fit {}", describe(tensor), described(spec)));
    }
    const auto elements = static_cast<std::size_t>(element_count(tensor));
    if (elements * element_bytes(tensor.dtype) != tensor.data.size()) {
      return error(ErrorKind::input,
                   fmt::format("input {} has {} bytes", describe(tensor), tensor.data.size()));
    }
    return {};
  }

 private:
  bool fits(const InputSpec& spec, const Tensor& tensor) {
    if (tensor.dimensions.size() != spec.dimensions.size()) return false;
    for (std::size_t i = 0; i < spec.dimensions.size(); ++i) {
      const Dimension& dimension = spec.dimensions[i];
      const int64_t size = tensor.dimensions[i];
      const int64_t expected = dimension.symbol == Symbol::none
                                   ? dimension.size
                                   : sizes_.emplace(dimension.symbol, size).first->second;
      if (size != expected || size < 1) return false;
    }
    return true;
  }

  std::string where_;
  std::string fix_;
  std::map<Symbol, int64_t> sizes_;  // of B and S, as the first input has them
};

}  // namespace

Result<std::vector<const Tensor*>> match_tensors(std::span<const InputSpec> wanted,
                                                 std::span<const Tensor> given,
                                                 const std::string& where) {
  Matcher matcher(wanted, where);
  std::map<std::string_view, const Tensor*> by_name;
  for (const Tensor& tensor : given) {
    if (by_name.emplace(tensor.name, &tensor).second) continue;
    return matcher.error(ErrorKind::usage, fmt::format("input '{}' appears twice", tensor.name));
  }
  std::vector<const Tensor*> ordered;
  for (const InputSpec& spec : wanted) {
    const auto found = by_name.find(spec.name);
    if (found == by_name.end()) {
      return matcher.error(ErrorKind::usage, fmt::format("input '{}' is missing", spec.name));
    }
    if (auto checked = matcher.check(spec, *found->second); !checked) return checked.error();
    ordered.push_back(found->second);
    by_name.erase(found);
  }
  if (!by_name.empty()) {
    return matcher.error(ErrorKind::usage,
                         fmt::format("the model has no input '{}'", by_name.begin()->first));
  }
  return ordered;
}

}  // namespace batchscope::engine
