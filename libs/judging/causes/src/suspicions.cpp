#include "suspicions.hpp"

#include <algorithm>
#include <cmath>

#include "batchscope/schema/device_name.hpp"
#include "batchscope/tables/environments.hpp"

namespace batchscope::causes {
namespace {

constexpr double kClearlyWeaker = 0.5;

std::vector<SizeSignal> signals_at(const TableFacts& table, const CauseRule& rule) {
  std::vector<SizeSignal> sizes;
  for (std::size_t s = 0; s < table.sizes.size(); ++s) {
    sizes.push_back({s, rule.signal(table, s)});
    if (sizes.back().signal.words.empty()) sizes.pop_back();
  }
  return sizes;
}

double distance(const TableFacts& table, std::size_t a, std::size_t b) {
  const auto log_size = [&](std::size_t s) {
    return std::log(static_cast<double>(table.sizes[s].batch_size()));
  };
  return std::abs(log_size(a) - log_size(b));
}

std::optional<SizeSignal> neighbour_of(const TableFacts& table,
                                       const std::vector<SizeSignal>& sizes, const SizeSignal& at) {
  const SizeSignal* nearest = nullptr;
  for (const SizeSignal& each : sizes) {
    if (each.signal.strength > kClearlyWeaker * at.signal.strength) continue;
    const bool nearer = nearest == nullptr || distance(table, each.column, at.column) <
                                                  distance(table, nearest->column, at.column);
    if (nearer) nearest = &each;
  }
  return nearest == nullptr ? std::nullopt : std::optional(*nearest);
}

std::optional<CauseSuspicion> suspicion(const TableFacts& table, const CauseRule& rule) {
  const std::vector<SizeSignal> sizes = signals_at(table, rule);
  const auto strongest =
      std::max_element(sizes.begin(), sizes.end(), [](const SizeSignal& a, const SizeSignal& b) {
        return a.signal.strength < b.signal.strength;
      });
  if (strongest == sizes.end() || strongest->signal.strength <= 0) return std::nullopt;
  return CauseSuspicion{&rule, *strongest, neighbour_of(table, sizes, *strongest)};
}

bool can_be_on(const std::string& device, Where where) {
  switch (where) {
    case Where::any:
      return true;
    case Where::cpu:
      return schema::is_cpu(device);
    case Where::accelerator:
      return schema::is_accelerator(device);
  }
  return false;
}

// Whether what the experiment of the rule would set is set already.
bool is_preset(const CauseRule& rule, const TableFacts& table) {
  const schema::Environment& own = table.group->key.environment;
  if (own.empty() || rule.without == nullptr || table.sizes.empty()) return false;
  auto plain = table.sizes.front().config->config;
  plain.environment.clear();
  const auto without = rule.without(plain);
  return without && std::any_of(without->environment.begin(), without->environment.end(),
                                [&](const auto& variable) { return own.contains(variable.first); });
}

}  // namespace

std::vector<CauseSuspicion> suspicions_of(const schema::RunFile& run, const TableFacts& table) {
  std::vector<CauseSuspicion> found;
  const schema::RunConfig& key = table.group->key;
  if (key.environment != tables::plainest_environment(run)) return found;
  for (const CauseRule& rule : cause_rules()) {
    if (!can_be_on(key.device, rule.where)) continue;
    if (!findings::asks_for(run.header.plan, rule.part)) continue;
    if (is_preset(rule, table)) continue;
    if (auto one = suspicion(table, rule)) found.push_back(*std::move(one));
  }
  const auto is_guess = [](const CauseSuspicion& each) { return each.at.signal.guess; };
  if (!std::all_of(found.begin(), found.end(), is_guess)) std::erase_if(found, is_guess);
  std::stable_sort(found.begin(), found.end(),
                   [](const CauseSuspicion& a, const CauseSuspicion& b) {
                     return a.at.signal.strength > b.at.signal.strength;
                   });
  return found;
}

}  // namespace batchscope::causes
