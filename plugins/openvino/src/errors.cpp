#include "errors.hpp"

#include <array>

#include "batchscope/base/strings.hpp"

namespace batchscope::openvino_plugin {
namespace {

constexpr std::array<std::string_view, 8> kMemoryPhrases{"bad_alloc",
                                                         "out of memory",
                                                         "ot enough memory",
                                                         "ailed to allocate",
                                                         "annot allocate memory",
                                                         "CL_MEM_OBJECT_ALLOCATION_FAILURE",
                                                         "CL_OUT_OF_RESOURCES",
                                                         "Exceeded max size of memory"};

// No limit holds a device's memory that could be raised.
constexpr std::string_view kDeviceFix =
    "use a smaller batch size or a shorter sequence, or stop other programs that use the device's "
    "memory";

bool is_position(std::string_view line) {
  return line.starts_with("Exception from ") || line.starts_with("Check '");
}

// Its plugin for GPUs names itself, or the OpenCL call that failed.
bool is_of_gpu(std::string_view what) {
  return what.find("[GPU]") != std::string_view::npos || what.find("CL_") != std::string_view::npos;
}

}  // namespace

constinit const engine::ExceptionWords kWords{.framework = "OpenVINO",
                                              .useful = useful_message,
                                              .memory_phrases = kMemoryPhrases,
                                              .is_of_device = is_of_gpu,
                                              .device_fix = kDeviceFix};

std::string useful_message(std::string_view what) {
  std::string message, last;
  for (const std::string_view each : base::split(what, '\n')) {
    const std::string_view line = base::trim(each);
    if (line.empty()) continue;
    last = line;
    if (is_position(line)) continue;
    message += (message.empty() ? "" : " ") + std::string(line);
  }
  return message.empty() ? last : message;
}

}  // namespace batchscope::openvino_plugin
