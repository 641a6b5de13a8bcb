#pragma once

#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

namespace batchscope::gpu {

// What `ask` answers, asked in a thread of its own: a call of the driver may never return. Such a
// thread is left behind, so `ask` must own all that it uses. Nothing: too late, or no thread.
template <class Ask>
auto answer_within(std::chrono::nanoseconds limit, Ask ask) -> std::optional<decltype(ask())> {
  auto answer = std::make_shared<std::promise<decltype(ask())>>();
  auto future = answer->get_future();
  try {
    std::thread([answer, ask = std::move(ask)] { answer->set_value(ask()); }).detach();
  } catch (const std::system_error&) {
    return std::nullopt;
  }
  if (future.wait_for(limit) != std::future_status::ready) return std::nullopt;
  return future.get();
}

}  // namespace batchscope::gpu
