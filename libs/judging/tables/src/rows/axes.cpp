#include "batchscope/tables/axes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/schema/axes.hpp"
#include "batchscope/schema/run_config.hpp"

namespace batchscope::tables {
namespace {

using schema::AxisKind;
using schema::AxisPart;

bool differs(const AxisPart& part, const schema::RunConfig& a, const schema::RunConfig& b) {
  return part.value(a) != part.value(b);
}

// Calls visit(part) for each part of each axis.
template <class Visit>
void each_part(const Visit& visit) {
  for (const schema::Axis& axis : schema::axes()) {
    for (const AxisPart& part : axis.parts) visit(part);
  }
}

struct Differing {
  schema::AxisId axis;
  const AxisPart* part;
};

std::vector<Differing> differing(const schema::RunConfig& a, const schema::RunConfig& b) {
  std::vector<Differing> parts;
  for (const schema::Axis& axis : schema::axes()) {
    for (const AxisPart& part : axis.parts) {
      if (differs(part, a, b)) parts.push_back({axis.id, &part});
    }
  }
  return parts;
}

// What is set for an interpreter, which other engines do not have.
bool is_of_one_engine(const Differing& each, const schema::RunConfig& a,
                      const schema::RunConfig& b) {
  const bool of_interpreter =
      each.axis == schema::AxisId::compile || each.axis == schema::AxisId::gc;
  return of_interpreter && (each.part->words(a).empty() || each.part->words(b).empty());
}

}  // namespace

std::optional<AxisDifference> single_difference(const schema::RunConfig& a,
                                                const schema::RunConfig& b) {
  auto parts = differing(a, b);
  const auto engine = std::find_if(parts.begin(), parts.end(), [](const Differing& each) {
    return each.axis == schema::AxisId::engine;
  });
  if (engine != parts.end()) std::iter_swap(parts.begin(), engine);
  const bool engines_alone =
      engine != parts.end() &&
      std::all_of(parts.begin() + 1, parts.end(),
                  [&](const Differing& each) { return is_of_one_engine(each, a, b); });
  if (parts.size() != 1 && !engines_alone) return std::nullopt;
  const auto& [axis, part] = parts.front();
  AxisDifference found{axis,           std::string(part->name), part->value(a),
                       part->value(b), part->words(a),          part->words(b)};
  for (auto each = parts.begin() + 1; each != parts.end(); ++each) {
    const std::string more = each->part->words(b);
    if (!more.empty()) found.b_words += ", " + more;
  }
  return found;
}

bool varies_in_length(const schema::RunConfig& config) {
  return !config.shape.length_mix.empty() || (config.pipeline && !config.pipeline->texts.empty());
}

bool is_same_work(const schema::RunConfig& a, const schema::RunConfig& b) {
  const auto parts = differing(a, b);
  return std::none_of(parts.begin(), parts.end(),
                      [](const Differing& each) { return each.part->kind == AxisKind::work; });
}

std::string axis_words(const schema::RunConfig& config, std::span<const schema::RunConfig> others,
                       AxisKind kind, const std::string& except) {
  std::string words;
  each_part([&](const AxisPart& part) {
    if (part.kind != kind || part.name == except) return;
    const bool tells = std::any_of(others.begin(), others.end(),
                                   [&](const auto& other) { return differs(part, config, other); });
    const std::string own = tells ? part.words(config) : "";
    if (!own.empty()) words += (words.empty() ? "" : ", ") + own;
  });
  return words;
}

std::string axis_words(const schema::RunConfig& config, std::span<const schema::RunConfig> others,
                       const std::string& except) {
  const std::string work = axis_words(config, others, AxisKind::work, except);
  const std::string settings = axis_words(config, others, AxisKind::setting, except);
  return work.empty() || settings.empty() ? work + settings : work + ", " + settings;
}

std::vector<schema::RunConfig> keys_of(std::span<const schema::RunConfig> configs) {
  std::vector<schema::RunConfig> keys;
  for (const auto& each : configs) base::add_if_new(keys, schema::without_batch_size(each));
  return keys;
}

// What is not the same in all is another in some than in any one of them.
Differences::Differences(std::span<const schema::RunConfig> all) {
  each_part([&](const AxisPart& part) {
    if (all.empty()) return;
    const std::string first = part.value(all.front());
    if (std::ranges::any_of(all, [&](const auto& each) { return part.value(each) != first; })) {
      parts_.push_back(&part);
    }
  });
  std::ranges::stable_sort(
      parts_, {}, [](const AxisPart* part) { return part->kind == AxisKind::work ? 0 : 1; });
}

std::string Differences::of(const schema::RunConfig& config) const {
  std::string text = fmt::format("batch {}", config.shape.batch_size);
  for (const AxisPart* const part : parts_) {
    const std::string words = part->words(config);
    if (!words.empty()) text += ", " + words;
  }
  return text;
}

std::string what_differs(const schema::RunConfig& config, std::span<const schema::RunConfig> all) {
  return Differences(all).of(config);
}

}  // namespace batchscope::tables
