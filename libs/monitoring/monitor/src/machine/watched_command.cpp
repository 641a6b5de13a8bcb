#include "batchscope/monitor/watched_command.hpp"

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>
#include <utility>

#include "machine/signal_observer.hpp"

namespace batchscope::monitor {
namespace {

using TimePoint = std::chrono::steady_clock::time_point;

int code_of(int status) {
  constexpr int kSignalled = 128;
  return WIFEXITED(status) ? WEXITSTATUS(status) : kSignalled + WTERMSIG(status);
}

// What this program holds back for itself (Ctrl-C, broken pipes) a program of its own must not
// inherit.
class FreshSignals {
 public:
  FreshSignals() {
    posix_spawnattr_init(&attributes_);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes_, &none);
    sigset_t usual;
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    sigaddset(&usual, SIGXFSZ);
    posix_spawnattr_setsigdefault(&attributes_, &usual);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  FreshSignals(const FreshSignals&) = delete;
  FreshSignals& operator=(const FreshSignals&) = delete;
  ~FreshSignals() { posix_spawnattr_destroy(&attributes_); }
  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

}  // namespace

struct WatchedCommand::State {
  SignalObserver group;
  pid_t pid = -1;
  std::mutex mutex;
  std::condition_variable_any ended;
  std::optional<int> code;
  std::thread waiter;

  void wait_for_the_end() {
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
    {
      const std::lock_guard lock(mutex);
      code = code_of(status);
    }
    ended.notify_all();
  }
};

WatchedCommand::WatchedCommand(std::unique_ptr<State> state) : state_(std::move(state)) {}
WatchedCommand::WatchedCommand(WatchedCommand&&) noexcept = default;

// A waiter that still waits is left to itself: joining it would wait for the program.
WatchedCommand::~WatchedCommand() {
  if (!state_) return;
  if (exit_code()) {
    state_->waiter.join();
    return;
  }
  state_->waiter.detach();
  static_cast<void>(state_.release());
}

base::Result<WatchedCommand> WatchedCommand::start(const std::vector<std::string>& argv) {
  std::vector<char*> words;
  for (const std::string& word : argv) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  auto state = std::make_unique<State>();
  const FreshSignals signals;
  const int failure =
      posix_spawnp(&state->pid, words.front(), nullptr, signals.get(), words.data(), environ);
  if (failure != 0) {
    return base::Error{base::ErrorKind::failed,
                       std::string("cannot start the command: ") + std::strerror(failure),
                       argv.front(), "check its name, PATH and permission to execute"};
  }
  state->waiter = std::thread([raw = state.get()] { raw->wait_for_the_end(); });
  return WatchedCommand(std::move(state));
}

int WatchedCommand::pid() const {
  return state_->pid;
}

std::optional<int> WatchedCommand::exit_code() {
  const std::lock_guard lock(state_->mutex);
  return state_->code;
}

std::optional<int> WatchedCommand::wait_until(TimePoint deadline, const std::stop_token& stop) {
  std::unique_lock lock(state_->mutex);
  state_->ended.wait_until(lock, stop, deadline, [&] { return state_->code.has_value(); });
  return state_->code;
}

void WatchedCommand::pass_on(int signal) {
  if (!state_->group.saw(signal)) send(signal);
}

void WatchedCommand::send(int signal) {
  const std::lock_guard lock(state_->mutex);
  if (!state_->code) ::kill(state_->pid, signal);
}

void wait_until(TimePoint deadline, const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any never;
  std::unique_lock lock(mutex);
  never.wait_until(lock, stop, deadline, [] { return false; });
}

}  // namespace batchscope::monitor
