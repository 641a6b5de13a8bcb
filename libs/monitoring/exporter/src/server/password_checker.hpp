#pragma once

#include <atomic>
#include <chrono>
#include <functional>

#include "security/passwords.hpp"
#include "server/asio.hpp"

namespace batchscope::exporter {

enum class Verdict { right, wrong, busy };

// Checks passwords beside the thread that serves, on one thread and with a short queue: whoever
// sends many wrong ones is turned away (busy), takes one core at most from the training that is
// watched, and keeps nobody out who was let in before.
class PasswordChecker {
 public:
  using Then = std::function<void(Verdict)>;
  using Time = std::chrono::steady_clock::time_point;

  PasswordChecker(Passwords& passwords, net::io_context& io) : passwords_(passwords), io_(io) {}
  PasswordChecker(const PasswordChecker&) = delete;
  PasswordChecker& operator=(const PasswordChecker&) = delete;
  ~PasswordChecker() {
    thread_.stop();
    thread_.join();
  }

  // `then` is called by the thread of the I/O, or at once. Past `until` it is not checked any more.
  void ask(Credential credential, Time until, Then then);

 private:
  static constexpr int kMostWaiting = 16;

  Passwords& passwords_;
  net::io_context& io_;
  std::atomic<int> waiting_ = 0;
  net::thread_pool thread_{1};
};

}  // namespace batchscope::exporter
