#include "batchscope/schema/device_name.hpp"

#include <string>

#include "batchscope/base/parse_number.hpp"
#include "batchscope/base/strings.hpp"

namespace batchscope::schema {
namespace {

std::string type_of(std::string_view device) {
  return base::to_lower(device.substr(0, device.find(':')));
}

}  // namespace

bool is_cpu(std::string_view device) {
  return type_of(device) == "cpu";
}

bool is_accelerator(std::string_view device) {
  return !device.empty() && !is_cpu(device);
}

bool is_cuda(std::string_view device) {
  return type_of(device) == "cuda";
}

std::optional<int> device_index(std::string_view device) {
  const std::size_t colon = device.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto index = base::parse_number<int>(device.substr(colon + 1));
  return index && *index >= 0 ? index : std::nullopt;
}

}  // namespace batchscope::schema
