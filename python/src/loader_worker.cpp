#include "loader_worker.hpp"

#include <nanobind/stl/vector.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace nb = nanobind;

namespace batchscope::python {
namespace {

std::atomic<pid_t> trainer_pid{0};
static_assert(std::atomic<pid_t>::is_always_lock_free);

// A scheduler, or a terminal, signals the whole process group. The trainer still needs its workers
// then; that it ends them itself is seen by the sender.
void from_trainer_only(int number, siginfo_t* info, void* /*context*/) {
  if (number == SIGTERM && info->si_pid == trainer_pid) _exit(0);
}

void obey_only(int trainer, const std::vector<int>& signals) {
  trainer_pid = trainer;
  struct sigaction action {};
  action.sa_sigaction = from_trainer_only;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigset_t unblocked;
  sigemptyset(&unblocked);
  for (const int number : signals) {
    if (sigaction(number, &action, nullptr) != 0 || sigaddset(&unblocked, number) != 0) {
      throw std::invalid_argument("a signal that cannot be handled");
    }
  }
  pthread_sigmask(SIG_UNBLOCK, &unblocked, nullptr);
}

}  // namespace

void add_loader_worker(nb::module_& module) {
  module.def("obey_only", obey_only, nb::arg("trainer"), nb::arg("signals"));
}

}  // namespace batchscope::python
