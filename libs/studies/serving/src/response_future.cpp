#include "batchscope/serving/response_future.hpp"

namespace batchscope::serving {

std::string_view to_string(Refusal refusal) {
  switch (refusal) {
    case Refusal::failed:
      return "failed";
    case Refusal::out_of_memory:
      return "out-of-memory";
    case Refusal::deadline:
      return "deadline";
    case Refusal::cancelled:
      return "cancelled";
    case Refusal::queue_full:
      return "queue-full";
    case Refusal::shut_down:
      return "shut-down";
  }
  return "failed";
}

}  // namespace batchscope::serving
