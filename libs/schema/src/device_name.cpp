#include "batchscope/schema/device_name.hpp"

#include <charconv>
#include <string>
#include <system_error>

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
  const std::string_view number = device.substr(colon + 1);
  int index = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), index);
  const bool whole = error == std::errc() && end == number.data() + number.size();
  return whole && index >= 0 ? std::optional(index) : std::nullopt;
}

}  // namespace batchscope::schema
