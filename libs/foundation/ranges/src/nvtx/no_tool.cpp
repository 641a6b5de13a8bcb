#include "tool.hpp"

namespace batchscope::ranges::nvtx {

std::unique_ptr<Tool> find_tool() {
  return nullptr;
}

}  // namespace batchscope::ranges::nvtx
