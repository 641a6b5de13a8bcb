#include "web_bundle.hpp"

namespace batchscope::report {

const WebBundle* web_bundle() {
  return nullptr;
}

const WebBundle* trace_bundle() {
  return nullptr;
}

}  // namespace batchscope::report
