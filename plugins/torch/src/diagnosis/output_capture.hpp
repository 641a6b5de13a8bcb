#pragma once

#include <string>

#include "batchscope/base/result.hpp"

namespace batchscope::torch_plugin {

// Catches what this process writes to standard output or standard error, for libraries that print
// what cannot be had otherwise, or what nobody asked for. One a stream at a time.
class OutputCapture {
 public:
  // `stream` is STDOUT_FILENO or STDERR_FILENO. Errors: failed (it is closed, or no file descriptor
  // is left).
  static base::Result<OutputCapture> start(int stream);

  OutputCapture(OutputCapture&& other) noexcept;
  OutputCapture& operator=(OutputCapture&&) = delete;
  ~OutputCapture();  // puts the stream back

  // Puts the stream back and returns what was caught. Errors: failed (it cannot be read).
  base::Result<std::string> finish();

 private:
  OutputCapture(int stream, int original, int caught)
      : stream_(stream), original_(original), caught_(caught) {}
  void restore();

  int stream_;
  int original_;  // where the stream went before; -1: it is back
  int caught_;    // file in memory
};

}  // namespace batchscope::torch_plugin
