#pragma once

#include <string_view>

namespace batchscope::document {

// A page's script and style, with their hashes as a content security policy names them
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
// Of the page of a trace, which has no charts of the library that a run's are drawn by.
const WebBundle* trace_bundle();
// Of the page of what a monitor recorded, which draws its charts itself.
const WebBundle* monitor_bundle();

}  // namespace batchscope::document
