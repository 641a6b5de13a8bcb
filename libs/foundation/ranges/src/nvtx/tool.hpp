#pragma once

#include <memory>

namespace batchscope::ranges::nvtx {

// A name with what the tool calls it, so that it reads the characters once.
struct Name {
  const char* text = nullptr;
  const void* handle = nullptr;  // null: the tool takes the text each time
};

// Whoever is told of ranges; called from every thread that has some, for that thread.
class Tool {
 public:
  virtual ~Tool() = default;
  virtual const void* handle_of(const char* text) = 0;
  virtual void push(const Name& name) noexcept = 0;
  virtual void pop() noexcept = 0;
};

// The one that is attached to this process; null where none is. Of a build without NVTX's headers
// none ever is.
std::unique_ptr<Tool> find_tool();

}  // namespace batchscope::ranges::nvtx
