#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <utility>

#include "batchscope/base/subprocess.hpp"
#include "launch.hpp"
#include "line_buffer.hpp"
#include "reap.hpp"

namespace batchscope::base {
namespace {

constexpr size_t kTailBytes = 16 * 1024;
constexpr size_t kMostUnreadBytes = size_t{64} << 20;
// Reads in a row before the deadline is looked at again: a child may write without end.
constexpr int kReadsAtOnce = 64;
// To end a program and all that it has detached.
constexpr auto kForKeeper = std::chrono::seconds(30);

}  // namespace

struct Child::State {
  KeptProgram kept;
  UniqueFd socket;
  UniqueFd output;
  UniqueFd pidfd;
  Deadline started;
  std::string received;
  size_t searched = 0;
  std::string tail;
  bool timed_out = false;
  std::optional<ChildExit> exit;

  ~State() {
    if (kept.keeper < 0 || exit.has_value()) return;
    end();
    if (!await_end(kept.keeper, pidfd.get(), Deadline::clock::now() + kForKeeper)) end_by_force();
    (void)await_end(kept.keeper, pidfd.get(), Deadline::max());
    (void)reap(kept.keeper);
  }

  // A keeper that the program has stopped goes on, to end it.
  void end() const {
    ::kill(kept.keeper, SIGTERM);
    ::kill(kept.keeper, SIGCONT);
  }
  // Where the keeper does not: the program has stopped it again and again.
  void end_by_force() const {
    ::kill(-kept.program, SIGKILL);
    ::kill(kept.keeper, SIGKILL);
  }
  void drain_output();
  void drain_socket();
  void drain();
  void drain_all();
  bool step(Deadline deadline, bool sending);
  Error overdue(std::string_view action);
};

// Keeps the end: when a program fails, what it said last says why.
void Child::State::drain_output() {
  ssize_t count = 1;
  for (int i = 0; output && count > 0 && i < kReadsAtOnce; ++i) {
    count = append_from(output.get(), tail);
    if (tail.size() > 2 * kTailBytes) tail.erase(0, tail.size() - kTailBytes);
  }
  if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) output.reset();
  if (tail.size() > kTailBytes) tail.erase(0, tail.size() - kTailBytes);
}

void Child::State::drain_socket() {
  ssize_t count = 1;
  for (int i = 0; socket && count > 0 && i < kReadsAtOnce; ++i) {
    count = append_from(socket.get(), received);
  }
  if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) socket.reset();
}

void Child::State::drain() {
  drain_output();
  drain_socket();
}

// After the end: everything that was still under way.
void Child::State::drain_all() {
  size_t before = 0;
  do {
    before = received.size();
    drain();
  } while (received.size() != before && received.size() <= kMostUnreadBytes);
  socket.reset();  // a process it left behind may still hold the other end
}

// Waits once for anything to happen and takes in what there is. Output and socket together, because
// a child that blocks on one never gets to the other. False when the deadline passed.
bool Child::State::step(Deadline deadline, bool sending) {
  const short events = sending ? POLLIN | POLLOUT : POLLIN;
  std::array<pollfd, 3> fds = {pollfd{socket.get(), events, 0}, pollfd{output.get(), POLLIN, 0},
                               pollfd{pidfd.get(), POLLIN, 0}};
  int timeout = poll_timeout(deadline);
  if (!pidfd) timeout = std::min(timeout, kFallbackPollMs);
  if (timeout == 0 && Deadline::clock::now() >= deadline) {
    drain();
    return false;
  }
  poll(fds.data(), fds.size(), timeout);
  const bool ended =
      has_ended(kept.keeper);  // before draining, so that nothing written before is missed
  ended ? drain_all() : drain();
  return true;
}

Error Child::State::overdue(std::string_view action) {
  timed_out = true;
  return {ErrorKind::failed, fmt::format("timed out while {}", action), "", ""};
}

Child::Child(std::unique_ptr<State> state) : state_(std::move(state)) {}
Child::Child(Child&& other) noexcept = default;
Child& Child::operator=(Child&& other) noexcept = default;
Child::~Child() = default;

Result<Child> Child::spawn(const ChildSpec& spec) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return system_error("cannot connect a child");
  }
  auto state = std::make_unique<State>();
  state->socket.reset(ends[0]);
  const UniqueFd child_end(ends[1]);
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  auto output = make_pipe();
  if (!output) return output.error();
  state->output = std::move(output->read_end);
  const UniqueFd nothing(open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (!nothing) return system_error("cannot open /dev/null");
  const int write_end = output->write_end.get();
  state->started = Deadline::clock::now();
  auto kept = launch_kept(spec, {nothing.get(), write_end, write_end, child_end.get()});
  if (!kept) return kept.error();
  state->kept = *std::move(kept);
  state->pidfd = open_pidfd(state->kept.keeper);
  return Child(std::move(state));
}

Result<void> Child::send_line(std::string_view line, Deadline deadline) {
  state_->timed_out = false;
  std::string full(line);
  full.push_back('\n');
  for (std::string_view rest = full; !rest.empty();) {
    if (!state_->socket)
      return Error{ErrorKind::failed, "the process does not read its input", "", ""};
    const ssize_t sent =
        send(state_->socket.get(), rest.data(), rest.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent >= 0) {
      rest.remove_prefix(static_cast<size_t>(sent));
    } else if (errno != EAGAIN && errno != EINTR) {
      return Error{ErrorKind::failed, "the process does not read its input", "", ""};
    } else if (!state_->step(deadline, true)) {
      return state_->overdue("sending to the process");
    }
  }
  return {};
}

Result<std::optional<std::string>> Child::receive_line(Deadline deadline) {
  state_->timed_out = false;
  while (true) {
    if (auto line = take_line(state_->received, state_->searched)) return line;
    if (!state_->socket) return std::optional<std::string>();
    if (state_->received.size() > kMostUnreadBytes) {
      return Error{ErrorKind::failed, "the process sent a line of more than 64 MiB", "", ""};
    }
    if (state_->step(deadline, false)) continue;
    if (auto line = take_line(state_->received, state_->searched)) return line;
    return state_->overdue("waiting for the process");
  }
}

bool Child::timed_out() const {
  return state_->timed_out;
}

void Child::kill() {
  if (!state_->exit.has_value()) state_->end();
}

Result<ChildExit> Child::wait(Deadline deadline) {
  State& state = *state_;
  if (state.exit.has_value()) return *state.exit;
  state.timed_out = false;
  bool by_force = false;
  while (!has_ended(state.kept.keeper)) {
    if (state.step(deadline, false)) continue;
    // One that a debugger holds does not hear the request.
    by_force = std::exchange(state.timed_out, true) || is_traced(state.kept.keeper);
    by_force ? state.end_by_force() : state.end();
    deadline = Deadline::clock::now() + kForKeeper;
  }
  state.drain_all();
  auto exit = reap(state.kept.keeper);
  if (!exit) return exit;
  int left_behind = 0, status = 0;
  // A keeper that was killed by somebody else says neither, and the program ended with it.
  if (!by_force) exit->keeper_signal = exit->signal;
  if (read_word(state.kept.words.get(), left_behind) && read_word(state.kept.words.get(), status)) {
    exit->left_behind = left_behind;
    set_end(status, *exit);
    exit->keeper_signal = 0;
  }
  exit->wall = Deadline::clock::now() - state.started;
  state.exit = *exit;
  return exit;
}

const std::string& Child::output_tail() const {
  return state_->tail;
}

int Child::pid() const {
  return state_->kept.program;
}

}  // namespace batchscope::base
