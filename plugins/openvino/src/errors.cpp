#include "errors.hpp"

#include "batchscope/base/strings.hpp"

namespace batchscope::openvino_plugin {
namespace {

// No limit holds a device's memory that could be raised.
constexpr std::string_view kDeviceFix =
    "use a smaller batch size or a shorter sequence, or stop other programs that use the device's "
    "memory";

bool is_position(std::string_view line) {
  return line.starts_with("Exception from ") || line.starts_with("Check '");
}

}  // namespace

constinit const engine::ExceptionWords kWords{
    .framework = "OpenVINO", .useful = useful_message, .device_fix = kDeviceFix};

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
