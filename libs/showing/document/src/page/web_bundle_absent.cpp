#include "batchscope/document/web_bundle.hpp"

namespace batchscope::document {

const WebBundle* web_bundle() {
  return nullptr;
}

const WebBundle* trace_bundle() {
  return nullptr;
}

const WebBundle* monitor_bundle() {
  return nullptr;
}

}  // namespace batchscope::document
