#include "batchscope/attribution/warm_up.hpp"

#include <array>
#include <string>

#include "batchscope/base/strings.hpp"

namespace batchscope::attribution {
namespace {

using base::contains_any_text;
using base::contains_text;
using trace::ActivityKind;

constexpr std::array<std::string_view, 4> kOfDriver{"Module Loading", "Function Loading",
                                                    "Driver Compiler", "UVM"};
constexpr std::array<std::string_view, 4> kModules{"ModuleLoad", "LibraryLoad", "StreamCreate",
                                                   "ModuleGetFunction"};
constexpr std::array<std::string_view, 2> kMakingGraphs{"GraphInstantiate", "GraphCreate"};

// Of torch.compile, of Triton's, cuDNN's and MIOpen's trials, of XLA.
constexpr std::array<std::string_view, 8> kCompiling{
    "dynamo_timed", "_compile.compile_inner", "compile_fx", "OutputGraph.call_user_compiler",
    "autotune",     "CachingAutotuner",       "cudnnFind",  "miopenFind"};
// Python's functions that run when something is compiled, and not when that is called.
constexpr std::array<std::string_view, 5> kFunctionsThatCompile{
    "torch/_dynamo/convert_frame.py", "torch/_inductor/compile_fx.py",
    "triton/compiler/compiler.py", "torch/utils/cpp_extension.py", "jax/_src/compiler.py"};

// "compile", "Compilation", "compiling"; what was compiled before is called so, too.
bool names_compiling(std::string_view name) {
  const std::string lower = base::to_lower(name);
  return contains_text(lower, "compil") && !contains_text(lower, "compiled");
}

}  // namespace

bool is_of_driver(std::string_view name) {
  return contains_any_text(name, kOfDriver);
}

std::optional<ExclusionReason> warm_up_of(std::string_view name, ActivityKind kind) {
  const auto reason_if = [](bool is, ExclusionReason reason) {
    return is ? std::optional(reason) : std::nullopt;
  };
  switch (kind) {
    case ActivityKind::runtime:
      if (contains_any_text(name, kMakingGraphs)) return ExclusionReason::capture;
      return reason_if(contains_any_text(name, kModules), ExclusionReason::loading);
    case ActivityKind::overhead:
      return reason_if(is_of_driver(name), ExclusionReason::loading);
    case ActivityKind::python:
      return reason_if(contains_any_text(name, kFunctionsThatCompile),
                       ExclusionReason::compilation);
    case ActivityKind::op:
    case ActivityKind::range:
      return reason_if(contains_any_text(name, kCompiling) || names_compiling(name),
                       ExclusionReason::compilation);
    default:
      return std::nullopt;
  }
}

}  // namespace batchscope::attribution
