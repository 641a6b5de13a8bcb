#pragma once

#include <optional>
#include <string_view>

#include "batchscope/trace/activity.hpp"

namespace batchscope::trace {

// What a category of Chrome's format says of an event.
struct Category {
  // Nothing: an event that is no activity, such as the recorder's own span.
  std::optional<ActivityKind> kind;
  bool is_known = true;
};

// Of the token of "cat", with its quotes: Kineto's of 2021 ("Kernel", "Operator") and since, for
// CUDA, HIP and other accelerators.
Category category_of(std::string_view token);

// What the name of a copy tells: "Memcpy HtoD (Pageable -> Device)", "CopyDeviceToHost".
CopyFacts copy_facts(std::string_view name);

}  // namespace batchscope::trace
