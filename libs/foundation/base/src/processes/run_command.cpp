#include <poll.h>
#include <sys/mman.h>

#include <array>
#include <cerrno>

#include "batchscope/base/subprocess.hpp"
#include "files/file_io.hpp"
#include "launch.hpp"
#include "line_buffer.hpp"
#include "reap.hpp"

namespace batchscope::base {
namespace {

constexpr size_t kMaxOutputBytes = size_t{64} << 20;

// Standard input as a file in memory: nothing to feed while the program runs, and no SIGPIPE when
// it does not read all.
Result<UniqueFd> input_file(std::string_view text) {
  UniqueFd fd(memfd_create("stdin", MFD_CLOEXEC));
  const bool held = fd && write_all(fd.get(), text) && lseek(fd.get(), 0, SEEK_SET) == 0;
  if (!held) return system_error("cannot buffer the input of a program");
  return fd;
}

void take(UniqueFd& fd, std::string& text) {
  ssize_t count = 1;
  while (fd && count > 0 && text.size() <= kMaxOutputBytes) count = append_from(fd.get(), text);
  if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) fd.reset();
}

Error command_error(const std::vector<std::string>& argv, std::string what) {
  return {ErrorKind::failed, std::move(what), argv[0], ""};
}

// Takes in both outputs until both are closed. Errors: failed (timeout, too much).
Result<void> collect(const std::vector<std::string>& argv, Deadline deadline, UniqueFd& out,
                     UniqueFd& err, CommandResult& result) {
  while (out || err) {
    std::array<pollfd, 2> fds = {pollfd{out.get(), POLLIN, 0}, pollfd{err.get(), POLLIN, 0}};
    poll(fds.data(), fds.size(), poll_timeout(deadline));
    take(out, result.standard_output);
    take(err, result.standard_error);
    if (result.standard_output.size() > kMaxOutputBytes ||
        result.standard_error.size() > kMaxOutputBytes) {
      return command_error(argv, "printed more than 64 MiB");
    }
    if ((out || err) && Deadline::clock::now() >= deadline) {
      return command_error(argv, "did not end in time");
    }
  }
  return {};
}

}  // namespace

Result<CommandResult> run_command(const std::vector<std::string>& argv,
                                  std::string_view standard_input, Nanoseconds timeout) {
  auto input = input_file(standard_input);
  if (!input) return input.error();
  auto out = make_pipe();
  if (!out) return out.error();
  auto err = make_pipe();
  if (!err) return err.error();
  ChildSpec spec;
  spec.argv = argv;
  const Deadline deadline = Deadline::clock::now() + timeout;
  const auto pid = launch(spec, {input->get(), out->write_end.get(), err->write_end.get(), -1});
  if (!pid) return pid.error();
  out->write_end.reset();
  err->write_end.reset();
  CommandResult result;
  const UniqueFd pidfd = open_pidfd(*pid);
  auto collected = collect(argv, deadline, out->read_end, err->read_end, result);
  if (collected && !await_end(*pid, pidfd.get(), deadline)) {
    collected = command_error(argv, "did not end in time");
  }
  if (!collected) kill_group(*pid);
  const auto exit = reap(*pid);
  if (!collected) return collected.error();
  if (!exit) return exit.error();
  result.exit_code = exit->exit_code;
  result.signal = exit->signal;
  return result;
}

}  // namespace batchscope::base
