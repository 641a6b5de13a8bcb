#include "launch_facts.hpp"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

namespace batchscope::torch_plugin {
namespace {

using Json = nlohmann::json;

std::optional<double> number(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number()) return std::nullopt;
  const double value = found->get<double>();
  return std::isfinite(value) && value >= 0 ? std::optional(value) : std::nullopt;
}

std::optional<int64_t> count(const Json& object, const char* key) {
  const auto value = number(object, key);
  constexpr double kLargest = 9.0e18;
  if (!value || *value > kLargest || *value != std::floor(*value)) return std::nullopt;
  return static_cast<int64_t>(*value);
}

// "grid": [x, y, z] has x y z blocks.
std::optional<int64_t> extent(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_array() || found->empty()) return std::nullopt;
  int64_t product = 1;
  for (const Json& side : *found) {
    if (!side.is_number_unsigned()) return std::nullopt;
    const auto length = side.get<uint64_t>();
    const auto room = static_cast<uint64_t>(std::numeric_limits<int64_t>::max() / product);
    if (length == 0 || length > room) return std::nullopt;
    product *= static_cast<int64_t>(length);
  }
  return product;
}

// Kineto's "blocks per SM" is the grid divided by the device's multiprocessors, not how many blocks
// fit on one.
std::optional<int64_t> multiprocessors(const Json& object, std::optional<int64_t> grid_blocks) {
  const auto share = number(object, "blocks per SM");
  if (!share || *share <= 0 || !grid_blocks) return std::nullopt;
  const double quotient = static_cast<double>(*grid_blocks) / *share;
  constexpr double kMost = 1e5;
  if (quotient < 0.5 || quotient > kMost) return std::nullopt;
  return std::llround(quotient);
}

std::optional<int64_t> resident_blocks(const Json& object) {
  const auto group = object.find("occupancy");  // where newer Kinetos keep it
  const bool nested = group != object.end() && group->is_object();
  const auto blocks = count(nested ? *group : object, "activeBlocksPerMultiprocessor");
  return blocks && *blocks > 0 ? blocks : std::nullopt;
}

std::optional<double> occupancy(const Json& object) {
  const auto percent = number(object, "est. achieved occupancy %");
  return percent && *percent <= 100 ? std::optional(*percent / 100) : std::nullopt;
}

}  // namespace

LaunchFacts read_launch_facts(std::string_view members) {
  const std::string text = "{" + std::string(members) + "}";
  const Json object = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!object.is_object()) return {};
  LaunchFacts facts;
  facts.grid_blocks = extent(object, "grid");
  facts.threads_per_block = extent(object, "block");
  facts.blocks_per_sm = resident_blocks(object);
  facts.occupancy = occupancy(object);
  facts.multiprocessors = multiprocessors(object, facts.grid_blocks);
  facts.bytes = count(object, "bytes");
  return facts;
}

}  // namespace batchscope::torch_plugin
