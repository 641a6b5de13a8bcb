#include "server/password_checker.hpp"

#include <utility>

namespace batchscope::exporter {

void PasswordChecker::ask(Credential credential, Time until, Then then) {
  if (passwords_.remembers(credential)) return then(Verdict::right);
  if (waiting_ >= kMostWaiting) return then(Verdict::busy);
  ++waiting_;
  net::post(thread_,
            [this, credential = std::move(credential), until, then = std::move(then)]() mutable {
              Verdict verdict = Verdict::busy;
              if (std::chrono::steady_clock::now() < until) {
                verdict = passwords_.check(credential) ? Verdict::right : Verdict::wrong;
              }
              --waiting_;
              net::post(io_, [verdict, then = std::move(then)] { then(verdict); });
            });
}

}  // namespace batchscope::exporter
