#include "launch.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "child_setup.hpp"
#include "files/file_io.hpp"

namespace batchscope::base {
namespace {

// All signals held back, so that a handler of the parent never runs in the child.
class BlockedSignals {
 public:
  BlockedSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old_);
  }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &old_, nullptr); }

 private:
  sigset_t old_{};
};

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> merged_environment(const std::map<std::string, std::string>& added) {
  std::vector<std::string> merged;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    if (added.count(std::string(text.substr(0, text.find('=')))) == 0) merged.emplace_back(text);
  }
  for (const auto& [name, value] : added) merged.push_back(name + "=" + value);
  return merged;
}

Error launch_error(const ChildSpec& spec, const SetupFailure& failure) {
  const std::string reason = errno_text(failure.code);
  switch (failure.step) {
    case SetupStep::cgroup:
      return {ErrorKind::failed, "cannot enter the cgroup: " + reason, spec.cgroup_procs_path,
              "run where cgroups are writable, or use another kind of memory limit"};
    case SetupStep::memory_limit:
      return {ErrorKind::failed, "cannot set the memory limit: " + reason, spec.argv[0], ""};
    case SetupStep::cpus:
      return {ErrorKind::failed, "cannot use the requested CPUs: " + reason, spec.argv[0],
              "choose CPUs that this process may use"};
    case SetupStep::descriptors:
    case SetupStep::execute:
      break;
  }
  return {ErrorKind::failed, "cannot start the program: " + reason, spec.argv[0], ""};
}

// Waits until the child has executed its program (the pipe closes) or says why it could not.
Result<void> await_execution(const ChildSpec& spec, UniqueFd& pipe, pid_t pid) {
  SetupFailure failure{};
  ssize_t count = 0;
  do {
    count = read(pipe.get(), &failure, sizeof(failure));
  } while (count < 0 && errno == EINTR);
  if (count != static_cast<ssize_t>(sizeof(failure))) return {};
  while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
  return launch_error(spec, failure);
}

// The same file under a number that the child does not assign.
UniqueFd moved_up(int fd) {
  return UniqueFd(fcntl(fd, F_DUPFD_CLOEXEC, kFirstFreeFd));
}

}  // namespace

Error system_error(std::string_view action) {
  return {ErrorKind::failed, fmt::format("{}: {}", action, errno_text(errno)), "", ""};
}

Result<Pipe> make_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return system_error("cannot create a pipe");
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return Pipe{UniqueFd(ends[0]), UniqueFd(ends[1])};
}

UniqueFd open_pidfd(pid_t pid) {
  const long fd = syscall(SYS_pidfd_open, pid, 0);
  return UniqueFd(static_cast<int>(fd));
}

void kill_group(pid_t pid) {
  ::kill(-pid, SIGKILL);
  ::kill(pid, SIGKILL);
}

namespace {

// `words`: -1 without a keeper.
Result<pid_t> start(const ChildSpec& spec, const LaunchFds& fds, int words) {
  if (spec.argv.empty()) return Error{ErrorKind::failed, "no program to start", "", ""};
  const auto program = find_program(spec.argv[0]);
  if (!program) return program.error();
  std::vector<std::string> arguments = spec.argv;
  std::vector<std::string> environment = merged_environment(spec.environment);
  const std::vector<char*> argv = pointers_to(arguments);
  const std::vector<char*> envp = pointers_to(environment);
  auto report = make_pipe();
  if (!report) return report.error();
  fcntl(report->read_end.get(), F_SETFL, 0);

  const UniqueFd input = moved_up(fds.standard_input);
  const UniqueFd output = moved_up(fds.standard_output);
  const UniqueFd error = moved_up(fds.standard_error);
  const UniqueFd connection = fds.connection < 0 ? UniqueFd() : moved_up(fds.connection);
  UniqueFd reporting = moved_up(report->write_end.get());
  report->write_end.reset();
  if (!input || !output || !error || !reporting || (fds.connection >= 0 && !connection)) {
    return system_error("no file descriptors left to start a process");
  }
  ChildSetup setup{program->c_str(),
                   argv.data(),
                   envp.data(),
                   spec,
                   {input.get(), output.get(), error.get(), connection.get()},
                   reporting.get(),
                   words,
                   getpid(),
                   make_cpu_mask(spec.cpus)};
  if (!setup.cpus.valid) {
    return Error{ErrorKind::failed, "CPU numbers out of range", spec.argv[0], ""};
  }
  const BlockedSignals blocked;
  const pid_t pid = fork();
  if (pid == 0) become_program(setup);
  if (pid < 0) return system_error("cannot start a process");
  setpgid(pid, pid);  // here and in the child: whoever comes first
  reporting.reset();
  if (auto executed = await_execution(spec, report->read_end, pid); !executed) {
    return executed.error();
  }
  return pid;
}

}  // namespace

Result<pid_t> launch(const ChildSpec& spec, const LaunchFds& fds) {
  return start(spec, fds, -1);
}

Result<KeptProgram> launch_kept(const ChildSpec& spec, const LaunchFds& fds) {
  auto pipe = make_pipe();
  if (!pipe) return pipe.error();
  fcntl(pipe->read_end.get(), F_SETFL, 0);
  const UniqueFd words = moved_up(pipe->write_end.get());
  pipe->write_end.reset();
  if (!words) return system_error("no file descriptors left to start a process");
  const auto keeper = start(spec, fds, words.get());
  if (!keeper) return keeper.error();
  KeptProgram kept{*keeper, -1, std::move(pipe->read_end)};
  if (!read_word(kept.words.get(), kept.program)) {
    ::kill(*keeper, SIGKILL);
    while (waitpid(*keeper, nullptr, 0) < 0 && errno == EINTR) {
    }
    return Error{ErrorKind::failed, "its supervisor ended", spec.argv[0], ""};
  }
  return kept;
}

bool read_word(int fd, int& word) {
  ssize_t count = 0;
  do {
    count = read(fd, &word, sizeof(word));
  } while (count < 0 && errno == EINTR);
  return count == static_cast<ssize_t>(sizeof(word));
}

}  // namespace batchscope::base
