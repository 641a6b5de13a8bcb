#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace batchscope::serving {

// Why a request got no response.
enum class Refusal {
  failed,         // the run function said so, or threw
  out_of_memory,  // it did not fit, not even alone
  deadline,       // its time ran out while it waited
  cancelled,      // by cancel()
  queue_full,     // the queue was full, and the batcher rejects
  shut_down,      // the batcher was shut down before it ran
};
std::string_view to_string(Refusal refusal);

struct Failure {
  Refusal reason = Refusal::failed;
  std::string message{};
  std::exception_ptr exception{};  // what the run function threw
};

// What a request gets, exactly once: a response or a failure.
template <class Response>
class [[nodiscard]] ResponseFuture {
 public:
  ResponseFuture(Response response) : state_(std::in_place_index<0>, std::move(response)) {}
  ResponseFuture(Failure failure) : state_(std::in_place_index<1>, std::move(failure)) {}

  bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }
  // Of the wrong side: std::bad_variant_access.
  Response& value() { return std::get<0>(state_); }
  const Response& value() const { return std::get<0>(state_); }
  const Failure& failure() const { return std::get<1>(state_); }

 private:
  std::variant<Response, Failure> state_;
};

}  // namespace batchscope::serving
