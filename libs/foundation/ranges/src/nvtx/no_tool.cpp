#include "tool.hpp"

namespace batchscope::nvtx {

std::unique_ptr<Tool> find_tool() {
  return nullptr;
}

}  // namespace batchscope::nvtx
