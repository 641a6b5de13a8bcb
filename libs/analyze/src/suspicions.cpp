#include "suspicions.hpp"

#include <algorithm>
#include <cmath>

namespace batchscope::analyze {
namespace {

constexpr double kClearlyWeaker = 0.5;

std::vector<SizeSignals> sizes_of(const GroupData& group, const CauseRule& rule) {
  std::vector<SizeSignals> sizes;
  for (std::size_t s = 0; s < group.configs.size(); ++s) {
    const auto signals = signals_of(group.configs[s]);
    if (signals) sizes.push_back({s, *signals, rule.strength(*signals)});
  }
  return sizes;
}

double distance(const GroupData& group, std::size_t a, std::size_t b) {
  const auto log_size = [&](std::size_t s) {
    return std::log(static_cast<double>(group.configs[s].batch_size()));
  };
  return std::abs(log_size(a) - log_size(b));
}

std::optional<SizeSignals> neighbour_of(const GroupData& group,
                                        const std::vector<SizeSignals>& sizes,
                                        const SizeSignals& at) {
  std::optional<SizeSignals> nearest;
  for (const SizeSignals& each : sizes) {
    if (each.strength > kClearlyWeaker * at.strength) continue;
    const bool nearer = !nearest || distance(group, each.column, at.column) <
                                        distance(group, nearest->column, at.column);
    if (nearer) nearest = each;
  }
  return nearest;
}

std::optional<CauseSuspicion> suspicion(const GroupData& group, const CauseRule& rule) {
  const std::vector<SizeSignals> sizes = sizes_of(group, rule);
  const auto strongest = std::max_element(
      sizes.begin(), sizes.end(),
      [](const SizeSignals& a, const SizeSignals& b) { return a.strength < b.strength; });
  if (strongest == sizes.end() || strongest->strength <= 0) return std::nullopt;
  return CauseSuspicion{&rule, *strongest, neighbour_of(group, sizes, *strongest)};
}

}  // namespace

std::vector<CauseSuspicion> suspicions_of(const GroupData& group) {
  std::vector<CauseSuspicion> found;
  if (group.key.device != "cpu" || !group.key.environment.empty()) return found;
  for (const CauseRule& rule : cause_rules()) {
    if (auto one = suspicion(group, rule)) found.push_back(*one);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const CauseSuspicion& a, const CauseSuspicion& b) {
                     return a.at.strength > b.at.strength;
                   });
  return found;
}

}  // namespace batchscope::analyze
