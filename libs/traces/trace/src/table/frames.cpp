#include "batchscope/trace/frames.hpp"

#include <algorithm>
#include <array>

#include "batchscope/base/strings.hpp"

namespace batchscope::trace {
namespace {

constexpr std::array<std::string_view, 3> kPlaces{"site-packages/", "dist-packages/",
                                                  "/lib/python3"};
// Recorders drop the folder that a package was found in.
constexpr std::array<std::string_view, 8> kStarts{
    "<",         "nn.Module: ", "torch/",    "threading.py(", "contextlib.py(",
    "runpy.py(", "frozen ",     "importlib/"};

}  // namespace

bool is_of_a_library(std::string_view frame) {
  return base::contains_any_text(frame, kPlaces) ||
         std::any_of(kStarts.begin(), kStarts.end(),
                     [&](std::string_view start) { return frame.starts_with(start); });
}

std::string_view telling_frame(std::string_view stack) {
  const std::string_view innermost = stack.substr(0, stack.find(';'));
  for (size_t at = 0; at < stack.size();) {
    const size_t end = std::min(stack.find(';', at), stack.size());
    const std::string_view frame = stack.substr(at, end - at);
    if (!frame.empty() && !is_of_a_library(frame)) return frame;
    at = end + 1;
  }
  return innermost;
}

}  // namespace batchscope::trace
