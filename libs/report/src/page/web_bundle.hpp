#pragma once

#include <string_view>

namespace batchscope::report {

// The page's script and style, with their hashes as a content security policy names them
// ("sha256-...").
struct WebBundle {
  std::string_view script;
  std::string_view style;
  std::string_view script_hash;
  std::string_view style_hash;
};

// Null in a build without them: either web_bundle_absent.cpp or a source made by
// web/report/build.mjs is linked.
const WebBundle* web_bundle();

}  // namespace batchscope::report
