#include <string>
#include <string_view>
#include <vector>

#include "batchscope/base/parse_number.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/gpu/gpus.hpp"
#include "batchscope/schema/device_name.hpp"

namespace batchscope::gpu {
namespace {

std::optional<int> number(std::string_view text) {
  const auto value = base::parse_number<int>(text);
  return value && *value >= 0 ? value : std::nullopt;
}

// By the start of its UUID, which is enough where no other starts so.
std::optional<int> index_of(const Gpus& gpus, std::string_view uuid) {
  std::optional<int> found;
  for (int index = 0; index < gpus.count(); ++index) {
    const std::string own = gpus.read(index).uuid.value_or("");
    if (uuid.empty() || !own.starts_with(uuid)) continue;
    if (found) return std::nullopt;
    found = index;
  }
  return found;
}

}  // namespace

std::optional<int> gpu_index(const Gpus& gpus, std::string_view device, const char* visible) {
  if (!schema::is_cuda(device)) return std::nullopt;
  const int index = schema::device_index(device).value_or(0);
  if (visible == nullptr) return index;
  const auto names = base::split(visible, ',');
  const auto place = static_cast<std::size_t>(index);
  if (place >= names.size()) return std::nullopt;
  const std::string_view name = base::trim(names[place]);
  return name.starts_with("GPU-") ? index_of(gpus, name) : number(name);
}

std::vector<Gpu> read_all(const Gpus& gpus) {
  std::vector<Gpu> all;
  for (int index = 0; index < gpus.count(); ++index) all.push_back(gpus.read(index));
  return all;
}

std::vector<std::string> gpu_names(const std::vector<Gpu>& gpus) {
  std::vector<std::string> names;
  for (const Gpu& gpu : gpus) {
    names.push_back(gpu.name.value_or("GPU " + std::to_string(gpu.index)));
  }
  return names;
}

}  // namespace batchscope::gpu
