#include "errors.hpp"

#include <c10/util/Exception.h>

#include "batchscope/base/strings.hpp"

namespace batchscope::torch_plugin {
namespace {

using base::MemoryLack;
using base::trim;
using engine::Thrown;

std::string_view first_line(std::string_view text) {
  return text.substr(0, text.find('\n'));
}

// The TorchScript interpreter wraps what was thrown in frames of the source; the message itself
// follows the last "SomethingError: ".
std::string_view behind_interpreter_frames(std::string_view text) {
  if (text.find("TorchScript interpreter") == std::string_view::npos) return text;
  const auto at = text.rfind("Error: ");
  return at == std::string_view::npos ? text : text.substr(at + 7);
}

// What LibTorch's allocator puts before its message, and its archive reader behind it.
std::string_view without_wrapping(std::string_view text) {
  const bool wrapped = text.starts_with("[enforce fail at");
  const auto allocator = wrapped ? text.find("DefaultCPUAllocator") : text.npos;
  if (allocator != text.npos) text.remove_prefix(allocator);
  return text.substr(0, text.find(". This is an internal miniz error"));
}

// A device's memory is all there is: no limit holds it that could be raised.
constexpr std::string_view kDeviceFix =
    "use a smaller batch size, a shorter sequence or another precision (in training, also "
    "--checkpointing on); or free device memory of other processes (nvidia-smi lists them)";

// An operation met tensors of two devices. Inputs and weights are all put on one, so the model made
// the others.
std::optional<std::string_view> fix_of_two_devices(std::string_view what) {
  const bool met = what.find("on the same device") != std::string_view::npos ||
                   what.find("have the same device") != std::string_view::npos;
  if (!met) return std::nullopt;
  return "export the model without device constants: see docs/reference/engines.md";
}

std::optional<Thrown> read_own(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const c10::OutOfMemoryError& e) {  // of the allocators of devices alone
    return Thrown{e.what_without_backtrace(), MemoryLack::device};
  } catch (const c10::Error& e) {
    return Thrown{e.what_without_backtrace(), MemoryLack::none};
  } catch (...) {
    return std::nullopt;
  }
}

}  // namespace

constinit const engine::ExceptionWords kWords{.framework = "LibTorch",
                                              .useful = useful_message,
                                              .device_fix = kDeviceFix,
                                              .read_own = read_own,
                                              .known_fix = fix_of_two_devices};

std::string useful_message(std::string_view what) {
  std::string_view text = without_wrapping(trim(behind_interpreter_frames(what)));
  const auto backtrace = text.find("\nException raised from");
  text = trim(text.substr(0, backtrace));
  std::string line(trim(first_line(text)));
  // A line that only announces the next one ("Expected ...:") is no message by itself.
  if (line.ends_with(':') && line.size() < text.size()) {
    line += " ";
    line += trim(first_line(trim(text.substr(first_line(text).size()))));
  }
  return line;
}

bool speaks_of_absent_kernel(std::string_view what) {
  return what.find("not implemented for 'Half'") != std::string_view::npos ||
         what.find("not implemented for 'BFloat16'") != std::string_view::npos;
}

}  // namespace batchscope::torch_plugin
