#include "batchscope/schema/engine_traits.hpp"

#include <array>
#include <utility>

namespace batchscope::schema {
namespace {

using Named = std::pair<std::string_view, EngineTraits>;

const std::array<Named, 4>& known() {
  static const std::array<Named, 4> kKnown{
      {{"torch",
        {.huge_pages = {{"THP_MEM_ALLOC_ENABLE", "1"}},
         .growing_segments = {{"PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True"}}}},
       {kEngineOfLaws, {.kind = EngineKind::laws}},
       {kEngineCallable, {.kind = EngineKind::callable}},
       {kEngineNotStated, {.kind = EngineKind::table}}}};
  return kKnown;
}

}  // namespace

const EngineTraits& traits_of(std::string_view engine) {
  static const EngineTraits kUnknown;
  for (const auto& [name, traits] : known()) {
    if (name == engine) return traits;
  }
  return kUnknown;
}

bool goes_without_saying(std::string_view engine) {
  return engine == BATCHSCOPE_USUAL_ENGINE || traits_of(engine).kind != EngineKind::framework;
}

}  // namespace batchscope::schema
