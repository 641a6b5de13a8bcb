#pragma once

#include <map>
#include <string>
#include <string_view>

namespace batchscope::causes {

// Variables of the environment that experiments set, which only an engine of that name reads. A run
// is judged where its engine need not be installed, so that its description cannot be asked. Empty:
// none is known.
struct EngineVariables {
  std::map<std::string, std::string> huge_pages{};        // of the host, for its tensors
  std::map<std::string, std::string> growing_segments{};  // of its allocator on CUDA devices
};

inline const EngineVariables& variables_of(std::string_view engine) {
  static const std::map<std::string, EngineVariables, std::less<>> kKnown{
      {"torch",
       {{{"THP_MEM_ALLOC_ENABLE", "1"}},
        {{"PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True"}}}}};
  static const EngineVariables kNone;
  const auto found = kKnown.find(engine);
  return found == kKnown.end() ? kNone : found->second;
}

}  // namespace batchscope::causes
