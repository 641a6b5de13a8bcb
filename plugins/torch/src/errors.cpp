#include "errors.hpp"

#include <c10/util/Exception.h>

#include <algorithm>
#include <array>
#include <new>

namespace batchscope::torch_plugin {
namespace {

constexpr size_t kLongest = 400;
constexpr std::string_view kLevelZeroPhrase = "OUT_OF_DEVICE_MEMORY";

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

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
  if (text.starts_with("[enforce fail at")) {
    const auto allocator = text.find("DefaultCPUAllocator");
    if (allocator != std::string_view::npos) text.remove_prefix(allocator);
  }
  return text.substr(0, text.find(". This is an internal miniz error"));
}

constexpr const char* kHostFix =
    "use a smaller batch size or a shorter sequence, or raise --memory-limit";
// A device's memory is all there is: no limit holds it that could be raised.
constexpr const char* kDeviceFix =
    "use a smaller batch size, a shorter sequence, another precision or, in training, "
    "--checkpointing on; or free what other processes hold of the device's memory (nvidia-smi "
    "shows it on NVIDIA's)";

// Whose memory is out, if any is.
enum class Memory { none, host, device };

struct Message {
  std::string text;
  Memory memory = Memory::none;
};

Message read_message(std::string text) {
  Memory memory = speaks_of_memory(text) ? Memory::host : Memory::none;
  if (speaks_of_device_memory(text)) memory = Memory::device;
  return {std::move(text), memory};
}

constexpr const char* kTwoDevicesFix =
    "export the model without device constants: see docs/guide/torch-engine.md";

// Whether an operation met tensors of two devices. Inputs and weights are all put on one, so the
// model made the others.
bool speaks_of_two_devices(std::string_view what) {
  return what.find("on the same device") != std::string_view::npos ||
         what.find("have the same device") != std::string_view::npos;
}

Message message_of(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const c10::OutOfMemoryError& e) {  // of the allocators of devices alone
    return {e.what_without_backtrace(), Memory::device};
  } catch (const c10::Error& e) {
    return read_message(e.what_without_backtrace());
  } catch (const std::bad_alloc&) {
    return {"the host has no memory left", Memory::host};
  } catch (const std::exception& e) {
    return read_message(e.what());
  } catch (...) {
    return {"something was thrown that is not a std::exception", Memory::none};
  }
}

}  // namespace

std::string useful_message(std::string_view what) {
  std::string_view text = without_wrapping(trimmed(behind_interpreter_frames(what)));
  const auto backtrace = text.find("\nException raised from");
  text = trimmed(text.substr(0, backtrace));
  std::string line(trimmed(first_line(text)));
  // A line that only announces the next one ("Expected ...:") is no message by itself.
  if (line.ends_with(':') && line.size() < text.size()) {
    line += " ";
    line += trimmed(first_line(trimmed(text.substr(first_line(text).size()))));
  }
  if (line.size() > kLongest) line = line.substr(0, kLongest) + "...";
  return line.empty() ? "LibTorch gave no reason" : line;
}

bool speaks_of_memory(std::string_view what) {
  constexpr std::array<std::string_view, 5> kPhrases{
      "can't allocate memory", "out of memory", "not enough memory", "bad_alloc", kLevelZeroPhrase};
  return std::any_of(kPhrases.begin(), kPhrases.end(), [&](std::string_view phrase) {
    return what.find(phrase) != std::string_view::npos;
  });
}

bool speaks_of_device_memory(std::string_view what) {
  constexpr std::array<std::string_view, 6> kDevices{"CUDA", "HIP", "XPU", "MTIA", "MPS", "device"};
  if (what.find(kLevelZeroPhrase) != std::string_view::npos) return true;
  const auto at = what.find("out of memory");
  if (at == std::string_view::npos) return false;
  const std::string_view before = what.substr(0, at);
  const std::string_view line = before.substr(before.rfind('\n') + 1);
  return std::any_of(kDevices.begin(), kDevices.end(), [&](std::string_view device) {
    return line.find(device) != std::string_view::npos;
  });
}

bool speaks_of_absent_kernel(std::string_view what) {
  return what.find("not implemented for 'Half'") != std::string_view::npos ||
         what.find("not implemented for 'BFloat16'") != std::string_view::npos;
}

base::Error to_error(const std::exception_ptr& thrown, base::ErrorKind kind, std::string where,
                     std::string fix) {
  const Message message = message_of(thrown);
  if (message.memory != Memory::none) {
    return {base::ErrorKind::out_of_memory, useful_message(message.text), std::move(where),
            message.memory == Memory::device ? kDeviceFix : kHostFix};
  }
  if (speaks_of_two_devices(message.text)) fix = kTwoDevicesFix;
  return {kind, useful_message(message.text), std::move(where), std::move(fix)};
}

}  // namespace batchscope::torch_plugin
